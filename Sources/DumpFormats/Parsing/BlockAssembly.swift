// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

/// The blocks of one dump, placed by their numbers, in any order of the file. Sensors have blocks of 8 bytes.
struct BlockAssembly {
  let blockSize: Int
  private var blocks: [Int: (bytes: [UInt8], line: Int)] = [:]
  private var unread: Set<Int> = []

  init(blockSize: Int = MemoryMap.blockSize) { self.blockSize = blockSize }

  /// A second copy is accepted. Throws `conflictingBlocks` for one with other bytes, `blockOutOfRange`, `badLine`.
  mutating func place(_ bytes: [UInt8], at block: Int, line: Int) throws(DumpError) {
    guard bytes.count == blockSize else { throw .badLine(line: line, expected: "a block of \(blockSize) bytes") }
    guard isPossible(block) else { throw .blockOutOfRange(block: block, line: line) }
    if let before = blocks[block], before.bytes != bytes {
      throw .conflictingBlocks(block: block, lines: [before.line, line])
    }
    if blocks[block] == nil { blocks[block] = (bytes, line) }
  }

  /// Notes a block that could not be read, according to the file. Numbers that no sensor has are ignored.
  mutating func miss(_ block: Int) {
    if isPossible(block) { unread.insert(block) }
  }

  private func isPossible(_ block: Int) -> Bool { block >= 0 && block < MemoryMap.fullByteCount / blockSize }

  subscript(block: Int) -> [UInt8]? { blocks[block]?.bytes }

  var isEmpty: Bool { blocks.isEmpty }

  /// True once all bytes of a Libre 1 memory are present.
  var isComplete: Bool {
    (0..<(MemoryMap.byteCount + blockSize - 1) / blockSize).allSatisfy { blocks[$0] != nil }
  }

  /// The bytes up to the last present block, with zeros for missing ones, and the list of these. Throws `wrongLength`
  /// if blocks of another size do not add up to whole blocks of a sensor, `noMemory` without any block.
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
