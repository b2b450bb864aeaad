// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import DumpFormats

@Suite("Assembly of numbered blocks")
struct BlockAssemblyTests {
  private func block(_ byte: UInt8, _ count: Int = 8) -> [UInt8] { Array(repeating: byte, count: count) }

  @Test("blocks are placed by their numbers in any order; gaps and blocks that are called missing are zero and missing")
  func order() throws {
    var assembly = BlockAssembly()
    for (number, line) in [(4, 1), (1, 2), (2, 3)] { try assembly.place(block(UInt8(number)), at: number, line: line) }
    #expect(try assembly.image() == MemoryImage(bytes: [0, 1, 2, 0, 4].flatMap { block($0) }, missingBlocks: [0, 3]))
    #expect(assembly[2] == block(2) && assembly[3] == nil)
    // They are missing after the last block too, unless they were read.
    for number in [2, 6] { assembly.miss(number) }
    #expect(try assembly.image().missingBlocks == [0, 3, 5, 6] && assembly.image().bytes.count == 56)
    #expect(!assembly.isEmpty)
  }

  @Test(
    "an equal copy of a block is accepted; a different copy and one of another size are errors, and the first stays")
  func copies() throws {
    var assembly = BlockAssembly()
    for line in [10, 20] { try assembly.place(block(1), at: 3, line: line) }
    #expect(throws: DumpError.conflictingBlocks(block: 3, lines: [10, 30])) {
      try assembly.place(block(2), at: 3, line: 30)
    }
    for count in [0, 7, 9] {
      #expect(throws: DumpError.badLine(line: 5, expected: "a block of 8 bytes")) {
        try assembly.place(block(1, count), at: 0, line: 5)
      }
    }
    #expect(assembly[3] == block(1))
  }

  @Test("block numbers that no sensor has are an error", arguments: [-1, Int.min, 244, 255, Int.max])
  func range(number: Int) {
    var assembly = BlockAssembly()
    #expect(throws: DumpError.blockOutOfRange(block: number, line: 5)) {
      try assembly.place(block(1), at: number, line: 5)
    }
    assembly.miss(number)
    #expect(assembly.isEmpty && !assembly.isComplete)
    #expect(throws: DumpError.noMemory) { try assembly.image() }
  }

  @Test("the last block that NFC can address is placed", arguments: [(8, 243), (4, 487), (32, 60), (16, 121)])
  func last(size: Int, number: Int) throws {
    var assembly = BlockAssembly(blockSize: size)
    try assembly.place(block(1, size), at: number, line: 1)
    #expect(try assembly.image().bytes.count == (number + 1) * size)
    #expect(throws: DumpError.blockOutOfRange(block: number + 1, line: 2)) {
      try assembly.place(block(1, size), at: number + 1, line: 2)
    }
  }

  @Test(
    "a missing block of another size makes every sensor block that it overlaps missing",
    arguments: [(4, [0, 1, 2, 4, 5], [1]), (16, [1], [0, 1]), (12, [0, 2], [1, 2])])
  func otherSizes(size: Int, numbers: [Int], missing: [Int]) throws {
    var assembly = BlockAssembly(blockSize: size)
    for number in numbers { try assembly.place(block(UInt8(number + 1), size), at: number, line: 1) }
    #expect(try assembly.image().missingBlocks == missing)
    if size == 4 { #expect(try assembly.image().bytes == [1, 2, 3, 0, 5, 6].flatMap { block($0, 4) }) }
  }

  @Test("a memory is complete with the last of its 344 bytes", arguments: [(8, 43), (4, 86), (16, 22)])
  func complete(size: Int, count: Int) throws {
    var assembly = BlockAssembly(blockSize: size)
    for number in (1..<count).reversed() { try assembly.place(block(1, size), at: number, line: 1) }
    try assembly.place(block(1, size), at: count, line: 1)
    #expect(!assembly.isComplete, "block 0 is not there, though another is")
    try assembly.place(block(1, size), at: 0, line: 1)
    #expect(assembly.isComplete)
  }
}

@Suite("Ranges of block numbers")
struct BlockRangesTests {
  @Test("ranges are written with neighbours joined, and read in any order")
  func ranges() {
    #expect(BlockRanges.text([42, 3, 12, 13, 14, 41]) == "3, 12-14, 41-42")
    #expect(BlockRanges.blocks(in: "41-42,3, 12 - 14 ,12") == [3, 12, 13, 14, 41, 42])
    #expect(BlockRanges.blocks(in: "0-1099")?.count == 1_100)
  }

  @Test(
    "other texts are not ranges",
    arguments: ["", ",", "1,", "-", "1-", "2-1", "1-2-3", "1100", "0-1100", "+1", "1 2", "0x1", "1 -2 3"])
  func noRanges(text: String) {
    #expect(BlockRanges.blocks(in: text) == nil)
  }
}
