// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import DumpFormats

struct OldProxmarkDumpTests {
  private func dumps(_ text: String) throws(DumpError) -> [Dump] { try OldProxmarkDump().allDumps(in: text) }

  private func image(_ text: String) throws -> MemoryImage { try OldProxmarkDump().onlyImage(in: text) }

  @Test("ignores the character column, even if it looks like bytes")
  func characters() throws {
    let text = """
      Block 00   3A 41 30 41 2E 2E 2E 2E    :A0A....          \n\
      Block 01   41 42 20 43 44 20 45 46    AB CD EF          \n\
      Block 02   31 20 20 32 20 20 20 20    1  2              \n
      """
    let bytes: [UInt8] = [
      0x3A, 0x41, 0x30, 0x41, 0x2E, 0x2E, 0x2E, 0x2E, 0x41, 0x42, 0x20, 0x43, 0x44, 0x20, 0x45, 0x46, 0x31, 0x20, 0x20,
      0x32,
      0x20, 0x20, 0x20, 0x20,
    ]
    #expect(try image(text) == MemoryImage(bytes: bytes))
  }

  @Test("reads numbers as decimal if one has a single digit, otherwise as hex")
  func radix() throws {
    #expect(try image("Block 10   01 02 03 04 05 06 07 08").bytes.count == 17 * 8)
    #expect(try image("Block 10   01 02 03 04 05 06 07 08\nBlock  9   01 02 03 04 05 06 07 08").bytes.count == 11 * 8)
    #expect(throws: DumpError.badLine(line: 2, expected: "a decimal block number, as in the other rows")) {
      try dumps("Block  9   01 02 03 04 05 06 07 08\nBlock 0a   01 02 03 04 05 06 07 08")
    }
  }

  @Test("reports as missing the two footer blocks and the code blocks that readdump does not show")
  func readdump() throws {
    let rows =
      TextFixture.readdump.blocks[..<41] + ["...", "", "F9B8 Block 2B 9E 42 03 04 05 06 07 08 CRC and commands"]
    let image = try image(rows.joined(separator: "\n"))
    #expect(image.missingBlocks == [41, 42])
    #expect(Array(image.bytes.suffix(8)) == [0x9E, 0x42, 3, 4, 5, 6, 7, 8])
  }

  @Test("starts a new dump with each reading of the client, with its own UID")
  func readings() throws {
    let text = """
      Reading memory from tag UID=E0 07 A0 00 00 00 00 01
      Block 00   01 02 03 04 05 06 07 08    ........
      Reading memory from tag UID=E0 07 A0 00 00 00 00 02
      Block 00   01 02 03 04 05 06 07 09    ........
      """
    let found = try dumps(text)
    #expect(found.map(\.image.bytes) == [Array(1...8), Array(1...7) + [9]])
    #expect(found.map(\.image.uid) == [SensorUID(bits: 0xE007_A000_0000_0001), SensorUID(bits: 0xE007_A000_0000_0002)])
  }
}
