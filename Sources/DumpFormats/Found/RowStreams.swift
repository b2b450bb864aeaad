// SPDX-License-Identifier: Apache-2.0
import Libre1Core

/// The bytes in one line of a text, in the order of the line.
struct ByteRow {
  var bytes: [UInt8] = []
  /// The place of each byte in the file.
  var places: [Int] = []
  /// The number beside the bytes, such as that of a block or the offset of the row; nil without one.
  var label: RowLabel?
  /// The number of bytes in each of its tokens.
  var wordSize = 1

  /// Empties the row, and keeps its storage for the next one.
  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
  }
}

/// The rows of a text as streams of bytes. A log has other lines between its rows, and bytes around those of the memory
/// in each row, so that the same rows are joined in several ways: the checksums show which of them is right.
struct RowStreams {
  /// All rows but short ones, which are times and dates.
  private var all: MemorySearch
  /// The rows that are whole blocks, without the bytes that a radio protocol or a listing adds to them.
  private var blocks: MemorySearch
  /// The rows of one length, with the shorter one that remains at the end of a memory.
  private var ofLength: [MemorySearch?]
  private var numbered: NumberedRows
  private let layer: String

  private static let minimumLength = 4
  private static let lengthLimit = 65
  /// The lengths of rows after which the last row of a memory has a given length.
  private static let lengthsBefore: [[Int]] = (0..<lengthLimit).map { rest in
    (max(rest, 1) + 1..<max(rest, 1) + lengthLimit).filter { length in
      length < lengthLimit
        && [MemoryMap.byteCount, MemoryMap.fullByteCount].contains { rest > 0 && $0 % length == rest }
    }
  }

  init(_ layer: String) {
    self.layer = layer
    all = MemorySearch(layer)
    blocks = MemorySearch(layer)
    numbered = NumberedRows(layer)
    ofLength = Array(repeating: nil, count: Self.lengthLimit)
  }

  mutating func take(_ row: ByteRow, _ found: inout FoundList) {
    let count = row.bytes.count
    if count >= Self.minimumLength { all.append(row.bytes, at: row.places, &found) }
    if count > 1, count < Self.lengthLimit {
      if ofLength[count] == nil { ofLength[count] = MemorySearch(layer) }
      ofLength[count]?.append(row.bytes, at: row.places, &found)
      for length in Self.lengthsBefore[count] { ofLength[length]?.append(row.bytes, at: row.places, &found) }
    }
    let part = Self.blocks(in: row.bytes)
    guard !part.isEmpty else { return }
    blocks.append(row.bytes[part], at: row.places[part], &found)
    let label = row.label ?? (part.lowerBound == 1 ? RowLabel(ofByte: row.bytes[0]) : nil)
    if let label { numbered.take(row.bytes[part], label, row.places[part.lowerBound], &found) }
  }

  mutating func end(_ found: inout FoundList) {
    all.end(&found)
    blocks.end(&found)
    for index in ofLength.indices { ofLength[index]?.end(&found) }
    numbered.end(&found)
  }

  /// The part of a row that is whole blocks; empty for other rows.
  ///
  /// | bytes before | blocks | bytes after | where |
  /// |---|---|---|---|
  /// | | blocks | | most listings |
  /// | number or flags | blocks | | a listing without a mark after its number; an answer of ISO 15693 |
  /// | | blocks | two | an answer of a smart card reader, with its status |
  /// | flags, 00 | blocks | two | an answer of ISO 15693 with its checksum |
  private static func blocks(in row: [UInt8]) -> Range<Int> {
    guard row.count >= MemoryMap.blockSize else { return 0..<0 }
    switch row.count % MemoryMap.blockSize {
    case 0: return 0..<row.count
    case 1: return 1..<row.count
    case 2: return 0..<row.count - 2
    case 3 where row[0] == 0: return 1..<row.count - 2
    default: return 0..<0
    }
  }
}
