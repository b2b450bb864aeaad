// SPDX-License-Identifier: Apache-2.0

/// The names of files as text. Linux allows any bytes in a name, and archives of older systems have names that are not
/// UTF-8.
///
/// A byte that is not UTF-8 stands in the text as one of 128 private-use characters, U+10FE80 to U+10FEFF, so that the
/// operating system gets it back unchanged. The bytes of a name that really has such a character are escaped in the same
/// way, so that no two names have one text.
package enum FileNameText {
  /// The character of a byte is this number plus the byte.
  private static let start: UInt32 = 0x10FE00

  /// Returns the byte that an escape stands for; nil for any other character.
  private static func byte(_ scalar: Unicode.Scalar) -> UInt8? {
    (start + 0x80...start + 0xFF).contains(scalar.value) ? UInt8(scalar.value - start) : nil
  }

  /// Returns the text of a name.
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

  /// Returns the bytes of the name that has this text.
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
