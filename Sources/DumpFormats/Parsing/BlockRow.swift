// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import TextFormats

/// A block in the rows of most dumps: eight bytes of two hex digits, with one space between them.
struct BlockRow {
  let bytes: [UInt8]
  let rest: ArraySlice<UInt8>

  /// The block at the beginning of a text; nil for any other text. The caller checks for a ninth byte.
  init?(_ text: ArraySlice<UInt8>) {
    var bytes: [UInt8] = []
    var position = text.startIndex
    while bytes.count < MemoryMap.blockSize {
      if !bytes.isEmpty {
        guard position < text.endIndex, TextLine.isSpace(text[position]) else { return nil }
        position += 1
      }
      guard let byte = LineNumber.byte(text[position...].prefix(2)) else { return nil }
      bytes.append(byte)
      position += 2
    }
    if position < text.endIndex, HexText.nibble(text[position]) != nil { return nil }
    self.bytes = bytes
    rest = text[position...]
  }

  /// True if another byte follows after one space: the row is longer than a block.
  var isLonger: Bool {
    guard let first = rest.first, TextLine.isSpace(first), LineNumber.byte(rest.dropFirst().prefix(2)) != nil else {
      return false
    }
    return rest.dropFirst(3).first.map(TextLine.isSpace) ?? true
  }
}

extension TextLine {
  /// The first value that `read` finds after one of the places with `prefix`.
  func first<Value>(after prefix: String, _ read: (ArraySlice<UInt8>) -> Value?) -> Value? {
    var prefix = prefix
    return prefix.withUTF8 { prefix in
      guard let first = prefix.first else { return nil }
      var rest = bytes
      while let start = rest.firstIndex(of: first) {
        rest = rest[start...]
        if rest.starts(with: prefix), let value = read(rest.dropFirst(prefix.count)) { return value }
        rest = rest.dropFirst()
      }
      return nil
    }
  }

  func contains(_ text: String) -> Bool { bytes.contains(text: text) }
}

extension UInt8 {
  /// True for the letters and digits of ASCII.
  var isLetterOrDigit: Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }
}

extension ArraySlice<UInt8> {
  var withoutIndent: ArraySlice<UInt8> { drop(while: TextLine.isSpace) }
  var lastWord: ArraySlice<UInt8> { self[(lastIndex(where: TextLine.isSpace).map { $0 + 1 } ?? startIndex)...] }
}
