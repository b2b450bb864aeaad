// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import DumpFormats

struct LibreMonitorDumpTests {
  private func image(_ text: String) throws -> MemoryImage { try LibreMonitorDump().onlyImage(in: text) }

  @Test(
    "reads a number as decimal unless it starts with 0x, and ignores the text after it",
    arguments: [
      ("//  10", 10), ("// 0x10", 16), ("//10", 10), ("// 10 should return \"62 C2\"", 10), ("// 0x0a", 10),
      ("\") // 10", 10), ("\",  // 10", 10), ("\" + // 10", 10),
    ])
  func numbers(comment: String, block: Int) throws {
    let image = try image("\"FD 61 18 19 01 00 00 00\(comment)")
    #expect(image.bytes.count == (block + 1) * 8)
    #expect(Array(image.bytes.suffix(8)) == [0xFD, 0x61, 0x18, 0x19, 1, 0, 0, 0])
    #expect(image.missingBlocks == Array(0..<block))
  }

  @Test("reads the sketch's debugging output, which repeats the bytes before the next row")
  func debugging() throws {
    let text = """
      The block #0:22 48 0 0 3 0 0 0  \r
      resultCode 0x80\r
      22 48 0 0 3 0 0 0 The block #1:1 2 3 4 5 6 7 8  \r
      resultCode 0x80\r
      1 2 3 4 5 6 7 8 Sending CR95HF to hibernate ...\r
      """
    #expect(try image(text) == MemoryImage(bytes: [0x22, 0x48, 0, 0, 3, 0, 0, 0] + Array(1...8)))
  }

  @Test(
    "treats an announced block without eight bytes as missing",
    arguments: ["22 48 0 0 3 0 0", "22 48 0 0 3 0 0 0 0", "22 48 0 0 3 0 0 x", "22 48 0 0 3 0 0 000", ""])
  func notEight(bytes: String) throws {
    #expect(try image("The block #0:1 2 3 4 5 6 7 8 \nThe block #1:\(bytes)") == Self.lacksSecond)
  }

  private static let lacksSecond = MemoryImage(
    bytes: Array(1...8) + Array(repeating: 0, count: 8), missingBlocks: [1])

  @Test("treats the block after the last one as missing if it is unavailable, unless a later attempt reads it")
  func unavailable() throws {
    let failure = "NO Single block available - RESPONSE CODE: 87"
    let block = { (number: Int) in "The block #\(number):1 2 3 4 5 6 7 8 " }
    #expect(try image("\(block(0))\n\(failure)\n\(failure)") == Self.lacksSecond)
    let retried = try image("\(failure)\n\(block(0))\n\(failure)\n\(block(1))")
    #expect(retried == MemoryImage(bytes: Array(1...8) + Array(1...8)))
  }

  @Test("starts a new dump with each reading of the sketch, also after an interrupted one")
  func readings() throws {
    let text = """
      Read all data
      The block #0:1 2 3 4 5 6 7 8\u{20}
      NO Single block available - RESPONSE CODE: 87
      Read all data
      NO Single block available - RESPONSE CODE: 87
      The block #0:1 2 3 4 5 6 7 9\u{20}
      uid: e0:7:a0:0:1:23:45:67
      """
    var first = Self.lacksSecond
    first.uid = TextFixture.uid
    let second = MemoryImage(bytes: Array(1...7) + [9], uid: TextFixture.uid)
    #expect(try LibreMonitorDump().allDumps(in: text).map(\.image) == [first, second])
  }

  @Test(
    "reads no UID from a sketch that has none or prints garbage",
    arguments: [
      "0:0:0:0:0:0:0:0", "e0:7:a0:0:1:23:45", "e0:7:a0:0:1:23:45:67:89", "e0:7:a0:0:1:23:45:xy", "e0:7:a0:0:1:23:45:e0",
    ])
  func noUID(value: String) throws {
    #expect(try image("The block #0:1 2 3 4 5 6 7 8\nuid: \(value)").uid == nil)
  }
}
