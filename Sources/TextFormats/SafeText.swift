// SPDX-License-Identifier: Apache-2.0

/// Text from others (a file, a device, a server) made safe for a terminal, a message or a page. Control characters can
/// move the cursor and change the terminal; bidirectional controls (U+202A…U+202E, U+2066…U+2069) change the order of
/// the text around them; other invisible characters can hide text.
package enum SafeText {
  /// True for a character that is visible and does not affect others, and for the two joiners, which emoji need.
  package static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
    case .control, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }

  /// Shows text on one line, with `?` for each character that is not printable, and `\xE9` for a file name's byte that is not
  /// UTF-8.
  package static func line(_ text: String) -> String {
    // Nearly all text is printable ASCII.
    if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
    return text.unicodeScalars.reduce(into: "") { line, scalar in
      if isPrintable(scalar) { line.unicodeScalars.append(scalar) } else { line += FileNameText.shown(scalar) ?? "?" }
    }
  }

  /// Shows text on a terminal: `?` for each character that is not printable, except line ends, tabs and colours.
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

  /// A file's value for a message: in quotes, shortened, with the code points of characters that are not printable.
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

  package static let excerptLength = 40
}

/// The names of files as text. Linux allows any bytes in a name, and archives of older systems have names that are not
/// UTF-8. A byte that is not UTF-8 stands in the text as one of 128 private-use characters, U+10FE80 to U+10FEFF, so
/// that the operating system gets it back unchanged. The bytes of a name that really has such a character are escaped
/// in the same way, so that no two names have one text.
package enum FileNameText {
  /// The character of a byte is this number plus the byte.
  private static let start: UInt32 = 0x10FE00

  private static func byte(_ scalar: Unicode.Scalar) -> UInt8? {
    (start + 0x80...start + 0xFF).contains(scalar.value) ? UInt8(scalar.value - start) : nil
  }

  package static func text(of name: some Collection<UInt8>) -> String {
    if name.allSatisfy({ $0 < 0x80 }) { return String(decoding: name, as: UTF8.self) }
    let bytes = Array(name)
    var text = String.UnicodeScalarView()
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var position = 0
    while true {
      let length: Int
      var scalar: Unicode.Scalar?
      switch parser.parseScalar(from: &rest) {
      case .valid(let encoded): (length, scalar) = (encoded.count, Unicode.UTF8.decode(encoded))
      case .error(let count): length = count
      case .emptyInput: return String(text)
      }
      if let scalar, byte(scalar) == nil {
        text.append(scalar)
      } else {
        text.append(contentsOf: bytes[position..<position + length].compactMap { Unicode.Scalar(start + UInt32($0)) })
      }
      position += length
    }
  }

  package static func bytes(of text: String) -> [UInt8] {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return Array(text.utf8) }
    return text.unicodeScalars.flatMap { scalar in byte(scalar).map { [$0] } ?? Array(String(scalar).utf8) }
  }

  /// Returns the text for people and documents, with `\xE9` for a byte that is not UTF-8, as shells write it.
  package static func shown(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    return text.unicodeScalars.reduce(into: "") { $0 += shown($1) ?? String($1) }
  }

  /// Returns what is shown for an escape; nil for any other character.
  static func shown(_ scalar: Unicode.Scalar) -> String? {
    byte(scalar).map { "\\x\(String($0, radix: 16, uppercase: true))" }
  }
}
