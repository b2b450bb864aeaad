// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// The lines of a text file: UTF-8, or UTF-16 with a byte order mark; any line end; terminal colours are removed.
package struct TextLines: Sequence, Sendable {
  /// The text with plain line feeds, without byte order mark and escape sequences.
  package let bytes: [UInt8]

  /// The lines of a file; nil if it is not text: it is empty, has control characters other than white space and
  /// escapes, or more than a few bytes of invalid UTF-8. (Erased memory is all `FF`.)
  package init?(_ file: [UInt8]) {
    var text = Self.utf16(file) ?? file
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { text.removeFirst(3) }
    guard !text.contains(where: Self.isControl) else { return nil }
    if text.contains(Self.escape) { text = Self.withoutEscapes(text) }
    guard !text.isEmpty, Self.isEncoded(text) else { return nil }
    if text.contains(UInt8(ascii: "\r")) { text = Self.withLineFeeds(text) }
    bytes = text
  }

  package func makeIterator() -> Iterator { Iterator(bytes: bytes) }

  package struct Iterator: IteratorProtocol {
    let bytes: [UInt8]
    private var position = 0
    private var number = 0
    package init(bytes: [UInt8]) { self.bytes = bytes }

    package mutating func next() -> TextLine? {
      guard position <= bytes.count else { return nil }
      number += 1
      let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      defer { position = end + 1 }
      return TextLine(number: number, bytes: bytes[position..<end])
    }
  }

  private static let escape: UInt8 = 0x1B

  private static func isControl(_ byte: UInt8) -> Bool {
    byte < 0x20 && !(0x09...0x0D).contains(byte) && byte != escape || byte == 0x7F
  }

  /// True for UTF-8, and for text with few letters outside ASCII, as in older encodings of European languages.
  private static func isEncoded(_ text: [UInt8]) -> Bool {
    let others = text.count { $0 >= 0x80 }
    return others < text.count / 4 || String(validating: text, as: UTF8.self) != nil
  }

  /// The text of a file that begins with UTF-16's byte order mark. A memory may begin with the same bytes, but then
  /// less than half of it is ASCII.
  private static func utf16(_ file: [UInt8]) -> [UInt8]? {
    let isLittle = file.starts(with: [0xFF, 0xFE])
    guard isLittle || file.starts(with: [0xFE, 0xFF]), file.count.isMultiple(of: 2) else { return nil }
    let units = stride(from: 2, to: file.count, by: 2).map { position in
      let (first, second) = (UInt16(file[position]), UInt16(file[position + 1]))
      return isLittle ? second << 8 | first : first << 8 | second
    }
    guard units.count(where: { $0 < 0x80 }) > units.count / 2 else { return nil }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  /// Returns the text without `ESC [ … letter` (colours, cursor) and without `ESC` plus one character. A broken
  /// sequence ends at the first character that cannot belong to it, so that no line end is lost.
  private static func withoutEscapes(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var position = 0
    while position < text.count {
      guard text[position] == escape else {
        result.append(text[position])
        position += 1
        continue
      }
      position += 1
      if position < text.count, text[position] == UInt8(ascii: "[") {
        position += 1
        while position < text.count, (0x20...0x3F).contains(text[position]) { position += 1 }
      }
      if position < text.count, (0x20...0x7E).contains(text[position]) { position += 1 }
    }
    return result
  }

  private static func withLineFeeds(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    for (index, byte) in text.enumerated() {
      if byte != UInt8(ascii: "\r") {
        result.append(byte)
      } else if index + 1 == text.count || text[index + 1] != UInt8(ascii: "\n") {
        result.append(UInt8(ascii: "\n"))
      }
    }
    return result
  }
}

package struct TextLine {
  /// The line's number, from 1.
  package let number: Int
  package let bytes: ArraySlice<UInt8>

  package init(number: Int, bytes: ArraySlice<UInt8>) {
    (self.number, self.bytes) = (number, bytes)
  }

  package var isBlank: Bool { bytes.allSatisfy(Self.isSpace) }

  /// The bytes without white space at either end.
  package var trimmed: ArraySlice<UInt8> {
    let start = bytes.firstIndex { !Self.isSpace($0) } ?? bytes.endIndex
    let end = bytes.lastIndex { !Self.isSpace($0) }.map { $0 + 1 } ?? start
    return bytes[start..<end]
  }

  package var isComment: Bool { trimmed.first == UInt8(ascii: "#") }

  /// The text without white space at either end; invalid UTF-8 is replaced.
  package var text: String { String(decoding: trimmed, as: UTF8.self) }
  package var words: [ArraySlice<UInt8>] { bytes.split(whereSeparator: Self.isSpace) }
  package static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}

package enum LineNumber {
  /// The value of two hex digits.
  package static func byte(_ word: ArraySlice<UInt8>) -> UInt8? { word.count == 2 ? hex(word).map(UInt8.init) : nil }

  /// `hex` and `decimal` are the values of one to six digits.
  package static func hex(_ word: ArraySlice<UInt8>) -> Int? { number(word, radix: 16) }
  package static func decimal(_ word: ArraySlice<UInt8>) -> Int? { number(word, radix: 10) }

  private static func number(_ word: ArraySlice<UInt8>, radix: Int) -> Int? {
    guard (1...6).contains(word.count) else { return nil }
    var value = 0
    for character in word {
      guard let digit = HexText.nibble(character), Int(digit) < radix else { return nil }
      value = value * radix + Int(digit)
    }
    return value
  }

  /// Returns the bytes of words of two hex digits each; nil if one has another form.
  package static func bytes(_ words: some Sequence<ArraySlice<UInt8>>) -> [UInt8]? {
    var bytes: [UInt8] = []
    for word in words {
      guard let byte = byte(word) else { return nil }
      bytes.append(byte)
    }
    return bytes
  }
}
