// SPDX-License-Identifier: Apache-2.0

/// Text from others (a file, a device, a server) made safe for a terminal, a message or a page.
///
/// Control characters can move the cursor and change the terminal; bidirectional controls (U+202A…U+202E,
/// U+2066…U+2069) change the order of the text around them; other invisible characters can hide text.
package enum SafeText {
  /// True for a character that is visible and does not affect other characters.
  ///
  /// The two joiners are allowed: emoji and several scripts need them.
  package static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
    case .control, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }

  /// Returns the text on one line, with `?` for each character that is not printable, and `\xE9` for a byte of a file
  /// name that is not UTF-8.
  package static func line(_ text: String) -> String {
    // Nearly all text is printable ASCII.
    if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
    return text.unicodeScalars.reduce(into: "") { line, scalar in
      if isPrintable(scalar) { line.unicodeScalars.append(scalar) } else { line += FileNameText.shown(scalar) ?? "?" }
    }
  }

  /// Returns text for a terminal, with `?` for each character that is not printable, except line ends, tabs and the
  /// sequences that set colours.
  package static func lines(_ text: String) -> String {
    func isPlain(_ byte: UInt8) -> Bool { (0x20...0x7E).contains(byte) || byte == 0x0A || byte == 0x09 }
    if text.utf8.allSatisfy(isPlain) { return text }
    var result = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.first {
      let length =
        scalar == "\u{1B}" ? lengthOfColor(rest) : isPrintable(scalar) || "\n\t".unicodeScalars.contains(scalar) ? 1 : 0
      if length == 0 { result.append("?") }
      result += rest.prefix(length)
      rest = rest.dropFirst(max(1, length))
    }
    return String(result)
  }

  /// Returns the length of `ESC [ numbers m` at the beginning; 0 for any other sequence.
  private static func lengthOfColor(_ text: Substring.UnicodeScalarView) -> Int {
    guard text.dropFirst().first == "[" else { return 0 }
    let numbers = text.dropFirst(2).prefix { ("0"..."9").contains($0) || $0 == ";" }
    return text.dropFirst(2 + numbers.count).first == "m" && numbers.count <= 16 ? numbers.count + 3 : 0
  }

  /// Returns the beginning of a value on one line, for a message: a file may hold a value of any length.
  package static func excerpt(_ text: String) -> String { line(String(text.prefix(excerptLength))) }

  /// Returns a file's value for a message: in quotes, shortened, with the code points of characters that are not
  /// printable.
  package static func quoted(_ text: String) -> String {
    let scalars = text.unicodeScalars
    let shown = scalars.prefix(excerptLength).map {
      isPrintable($0) ? String($0) : "\\u{\(String($0.value, radix: 16))}"
    }
    return "\"\(shown.joined())\(scalars.count > excerptLength ? "…" : "")\""
  }

  /// Returns text on one line, with one space for each run of spaces and characters that are not printable.
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

  /// The maximum number of characters of a value in a message.
  package static let excerptLength = 40
}
