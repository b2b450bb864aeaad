// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import TextFormats

/// A block as the rows of most dumps show it: eight bytes of two hex digits, one blank between two of them.
struct BlockRow {
  let bytes: [UInt8]
  /// What follows the last digit.
  let rest: ArraySlice<UInt8>

  /// nil unless the text begins with such a block. A ninth byte is the caller's to look for.
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

  /// True if another byte follows, one blank away: the row is longer than a block.
  var isLonger: Bool {
    guard let first = rest.first, TextLine.isSpace(first), LineNumber.byte(rest.dropFirst().prefix(2)) != nil else {
      return false
    }
    return rest.dropFirst(3).first.map(TextLine.isSpace) ?? true
  }
}

extension TextLine {
  /// The first value that is read from what follows one of the places where `mark` stands; nil if there is none.
  func first<Value>(after mark: String, _ read: (ArraySlice<UInt8>) -> Value?) -> Value? {
    let mark = mark.utf8
    guard let first = mark.first else { return nil }
    var rest = bytes
    while let start = rest.firstIndex(of: first) {
      rest = bytes[start...]
      if rest.starts(with: mark), let value = read(rest.dropFirst(mark.count)) { return value }
      rest = rest.dropFirst()
    }
    return nil
  }

  /// True if `text` stands in the line.
  func contains(_ text: String) -> Bool { bytes.contains(text: text) }
}

extension ArraySlice<UInt8> {
  /// Without the white space that it begins with.
  var withoutIndent: ArraySlice<UInt8> { drop(while: TextLine.isSpace) }

  /// What stands behind its last white space.
  var lastWord: ArraySlice<UInt8> { self[(lastIndex(where: TextLine.isSpace).map { $0 + 1 } ?? startIndex)...] }
}
