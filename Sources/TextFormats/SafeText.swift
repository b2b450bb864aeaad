// SPDX-License-Identifier: Apache-2.0

/// Text that others made (a file, a device, a server), fit for a terminal, a message or a page.
///
/// Control characters can move the cursor and change the terminal; bidirectional controls (U+202A…U+202E,
/// U+2066…U+2069) turn the text around them; other invisible characters hide something.
public enum SafeText {
  /// True for a character that shows itself and changes nothing else.
  ///
  /// The two joiners are kept: emoji and several scripts need them.
  public static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
    case .control, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }

  /// The text on one line, with `?` in place of each character that is not printable.
  public static func line(_ text: String) -> String {
    // Nearly all text is ASCII and safe as it is.
    if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { isPrintable($0) ? $0 : "?" }))
  }

  /// The beginning of a value for a message, on one line: a file may hold a value of any length.
  public static func excerpt(_ text: String) -> String { line(String(text.prefix(excerptLength))) }

  /// A file's own value for a message: in quotes, shortened, and with characters that are not printable as numbers.
  package static func quoted(_ text: String) -> String {
    let scalars = text.unicodeScalars
    let shown = scalars.prefix(excerptLength).map {
      isPrintable($0) ? String($0) : "\\u{\(String($0.value, radix: 16))}"
    }
    return "\"\(shown.joined())\(scalars.count > excerptLength ? "…" : "")\""
  }

  /// Words of any length on one line, with one space for each run of spaces and characters that are not printable.
  package static func condensed(_ text: String, limit: Int) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let shown = isPrintable(scalar) ? scalar : " "
      if shown == " ", result.last == " " || result.isEmpty { continue }
      guard result.count < limit else { return "\(String(result))…" }
      result.append(shown)
    }
    if result.last == " " { result.removeLast() }
    return String(result)
  }

  /// The number of characters of a value that a message repeats.
  public static let excerptLength = 40
}
