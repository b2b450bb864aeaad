// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

/// The blocks of one dump, placed by their numbers in whatever order they stand in the file.
struct BlockAssembly {
  /// Bytes in a block: 8 of a sensor's, other numbers where a program cut them otherwise.
  let blockSize: Int
  private var blocks: [Int: Content] = [:]
  private var unread: Set<Int> = []

  private struct Content {
    let bytes: [UInt8]
    let line: Int
  }

  init(blockSize: Int = MemoryMap.blockSize) { self.blockSize = blockSize }

  /// Puts a block in its place. A second copy is fine.
  ///
  /// Throws `conflictingBlocks` for one with other bytes, `blockOutOfRange` for a number that no sensor has, `badLine` for
  /// one of another size.
  mutating func place(_ bytes: [UInt8], at block: Int, line: Int) throws(DumpError) {
    guard bytes.count == blockSize else { throw .badLine(line: line, expected: "a block of \(blockSize) bytes") }
    guard isPossible(block) else {
      throw .blockOutOfRange(block: block, line: line)
    }
    if let before = blocks[block], before.bytes != bytes {
      throw .conflictingBlocks(block: block, lines: [before.line, line])
    }
    if blocks[block] == nil { blocks[block] = Content(bytes: bytes, line: line) }
  }

  /// Notes that the file says of a block that it could not be read. Numbers that no sensor has are passed over.
  mutating func miss(_ block: Int) {
    if isPossible(block) { unread.insert(block) }
  }

  private func isPossible(_ block: Int) -> Bool { block >= 0 && block < MemoryMap.fullByteCount / blockSize }

  subscript(block: Int) -> [UInt8]? { blocks[block]?.bytes }

  var isEmpty: Bool { blocks.isEmpty }

  /// True once all bytes of a Libre 1 memory are there.
  var isComplete: Bool {
    (0..<(MemoryMap.byteCount + blockSize - 1) / blockSize).allSatisfy { blocks[$0] != nil }
  }

  /// The bytes up to the last block there is, zero in the ones between that are missing, and the sensor's blocks that are.
  ///
  /// Throws `wrongLength` where blocks of another size come to no number of a sensor's, `noMemory` for no block at all.
  func image() throws(DumpError) -> MemoryImage {
    let last = max(blocks.keys.max() ?? -1, unread.max() ?? -1)
    var bytes: [UInt8] = []
    var missing: Set<Int> = []
    for block in 0..<last + 1 {
      if let content = blocks[block] {
        bytes += content.bytes
      } else {
        missing.formUnion(bytes.count / MemoryMap.blockSize...(bytes.count + blockSize - 1) / MemoryMap.blockSize)
        bytes += Array(repeating: 0, count: blockSize)
      }
    }
    try DumpLength.check(bytes)
    return MemoryImage(bytes: bytes, missingBlocks: missing.sorted())
  }
}
