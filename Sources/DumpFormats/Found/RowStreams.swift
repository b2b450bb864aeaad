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
  /// The number of the block that the last row has asked for.
  private var asked: RowLabel?

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
    if let request = Self.request(row.bytes) { asked = request }
    if count >= Self.minimumLength { all.append(row.bytes, at: row.places, &found) }
    if count > 1, count < Self.lengthLimit {
      if ofLength[count] == nil { ofLength[count] = MemorySearch(layer) }
      ofLength[count]?.append(row.bytes, at: row.places, &found)
      for length in Self.lengthsBefore[count] { ofLength[length]?.append(row.bytes, at: row.places, &found) }
    }
    let part = Self.blocks(in: row.bytes)
    guard !part.isEmpty else { return }
    blocks.append(row.bytes[part], at: row.places[part], &found)
    let label = asked ?? row.label ?? (part.lowerBound == 1 ? RowLabel(ofByte: row.bytes[0]) : nil)
    asked = nil
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
  /// | 00 00, length, flags | blocks | | the same between a chip and its driver (NCI) |
  private static func blocks(in row: [UInt8]) -> Range<Int> {
    guard row.count >= MemoryMap.blockSize else { return 0..<0 }
    switch row.count % MemoryMap.blockSize {
    case 0: return 0..<row.count
    case 1: return 1..<row.count
    case 2: return 0..<row.count - 2
    case 3 where row[0] == 0: return 1..<row.count - 2
    case 4 where row.starts(with: [0, 0, UInt8(truncatingIfNeeded: row.count - 3), 0]): return 4..<row.count
    case 5 where row.starts(with: [0, 0, UInt8(truncatingIfNeeded: row.count - 3), 0]): return 4..<row.count - 1
    default: return 0..<0
    }
  }

  /// The first block that a request asks for: of ISO 15693 (flags, 20 or 23, perhaps the UID, block), perhaps with a
  /// checksum, or of a smart card reader (FF B0 00, block, length).
  private static func request(_ row: [UInt8]) -> RowLabel? {
    guard (3...15).contains(row.count) else { return nil }
    var block: UInt8?
    if row.starts(with: [0xFF, 0xB0, 0x00]), row.count == 5 { block = row[3] }
    if row[1] == 0x20 || row[1] == 0x23, row[0] & 0x1F == 0x02 {
      let place = row[0] & 0x20 == 0 ? 2 : 10
      if place < row.count, row.count <= place + 4 { block = row[place] }
    }
    return block.map { RowLabel(decimal: Int($0), hex: Int($0), form: 0) }
  }
}
