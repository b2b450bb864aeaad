// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import DumpFormats

struct TagInfoDumpTests {
  private func dumps(_ text: String) throws(DumpError) -> [Dump] { try TagInfoDump().allDumps(in: text) }

  private func image(_ text: String) throws -> MemoryImage { try TagInfoDump().onlyImage(in: text) }

  @Test("reads rows without the rest of the report")
  func rowsAlone() throws {
    #expect(try image(TextFixture.tagInfo.blocks.joined(separator: "\n")) == MemoryImage(bytes: TextFixture.memory))
  }

  @Test("ignores the character column, even if it looks like bytes")
  func characters() throws {
    #expect(
      try image("[00] . 20 41 42 20 43 44 20 7C | AB CD ||\n[01] x 31 32 20 33 34 20 35 36 |12 34 56|").bytes
        == [0x20, 0x41, 0x42, 0x20, 0x43, 0x44, 0x20, 0x7C, 0x31, 0x32, 0x20, 0x33, 0x34, 0x20, 0x35, 0x36])
  }

  @Test("treats a block with an unread byte as missing, including the last block")
  func unread() throws {
    let image = try image(
      """
      [00] . 01 02 03 04 05 06 07 08 |........|
      [01] x -- -- -- -- -- -- -- --
      [02] . 01 02 03 04 -- -- -- -- |....    |
      """)
    #expect(image == MemoryImage(bytes: Array(1...8) + Array(repeating: 0, count: 16), missingBlocks: [1, 2]))
  }

  @Test("derives the block size from the rows")
  func blockSize() throws {
    #expect(try image("[01] . 1C 01 00 1B |....|\n[00] . 01 02 03 04 |....|").bytes == [1, 2, 3, 4, 0x1C, 1, 0, 0x1B])
    #expect(throws: DumpError.badLine(line: 1, expected: "a block of 8 bytes")) {
      try dumps("[00] . 01 02 03 04\n[01] . 01 02 03 04 05 06 07 08 |........|")
    }
  }

  @Test("refuses blocks that do not add up to a possible number of sensor blocks")
  func oddBlocks() {
    #expect(throws: DumpError.wrongLength(found: 665)) { try image("[5E] . F1 05 C8 D8 99 80 F7") }
  }

  @Test("starts a new dump with each report")
  func reports() throws {
    let found = try dumps(
      """
      ** TagInfo scan (version 4.25.5) 2024-05-02 12:15:00 **
      ID: E0:07:A0:00:00:00:00:01
      [00] . 01 02 03 04 05 06 07 08 |........|
      ** TagInfo scan (version 4.25.5) 2024-05-02 12:16:00 **
      ID: E0:07:A0:00:00:00:00:02
      [00] . 01 02 03 04 05 06 07 09 |........|
      """)
    #expect(found.map(\.image.bytes) == [Array(1...8), Array(1...7) + [9]])
    #expect(found.map(\.image.uid) == [SensorUID(bits: 0xE007_A000_0000_0001), SensorUID(bits: 0xE007_A000_0000_0002)])
  }

  @Test("reports a text without a memory, and a report in XML")
  func noMemory() {
    #expect(throws: DumpError.noMemory) { try dumps("** TagInfo scan (version 4.25.5) **\n-- IC INFO ---") }
    #expect(throws: DumpError.badLine(line: 1, expected: "TagInfo's report as text; its XML is not supported")) {
      try dumps("<?xml version=\"1.0\"?>\n<report by=\"NXP TagInfo\"/>")
    }
  }
}
