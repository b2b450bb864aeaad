// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import DumpFormats

struct DiaBLEDumpTests {
  private func dumps(_ text: String) throws(DumpError) -> [Dump] { try DiaBLEDump().allDumps(in: text) }

  private func image(_ text: String) throws -> MemoryImage { try DiaBLEDump().onlyImage(in: text) }

  @Test("reads bytes in either case and ignores any log prefix")
  func prefix() throws {
    let row = "22 48 0a bc 03 00 00 41  \"H.....A"
    for prefix in ["", "10:15:00 ", "2024-05-02 10:15:00.123 app[12:34] ", "[22] ", "41 42 ", "# "] {
      #expect(try image("\(prefix)#00  \(row)").bytes == [0x22, 0x48, 0x0A, 0xBC, 3, 0, 0, 0x41])
      #expect(try image("\(prefix)\(row)").bytes == [0x22, 0x48, 0x0A, 0xBC, 3, 0, 0, 0x41], "\(prefix)")
    }
  }

  @Test("reads a row without a number whose trailing spaces were lost, and keeps it where a byte of it is damaged")
  func lostBlanks() throws {
    for end in ["", "         "] {
      #expect(try image("41 20 20 20 20 20 20 20  A\(end)").bytes == [0x41] + Array(repeating: 0x20, count: 7))
    }
    let damaged = try image("FF 42 43 44 45 46 47 48  ABCDEFGH\n01 02 03 04 05 06 07 08  ........")
    #expect(damaged.bytes == [0xFF, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48] + Array(1...8))
  }

  @Test("places a Libre 1 row by its address, and counts those of other memories from their first row")
  func addresses() throws {
    let libre1 = try image("f868  01 02 03 04 05 06 07 08  ........\n")
    #expect(libre1 == MemoryImage(bytes: Array(repeating: 0, count: 8) + Array(1...8), missingBlocks: [0]))
    // A Libre Pro starts at D8E0.
    let text = """
      FRAM (first 22 blocks):
      d8e0  01 02 03 04 05 06 07 08  ........
      d8f0  11 12 13 14 15 16 17 18  ........
      d8f3  21 22 23 24 25 26 27 28  !"#$%&'(
      """
    let bytes = Array(1...8) + Array(repeating: 0, count: 8) + Array(0x11...0x18) as [UInt8]
    let expected = Dump(image: MemoryImage(bytes: bytes, missingBlocks: [1]), label: "FRAM (first 22 blocks)", line: 1)
    #expect(try dumps(text) == [expected])
  }

  @Test("refuses a block number that no sensor has, and reports its line")
  func outOfRange() {
    let bytes = "  01 02 03 04 05 06 07 08  ........"
    #expect(DiaBLEDump().refusal(of: "#00\(bytes)\n#f4\(bytes)") == .blockOutOfRange(block: 244, line: 2))
    #expect(DiaBLEDump().refusal(of: "1c08\(bytes)\n1c00\(bytes)") == .blockOutOfRange(block: -1, line: 2))
  }

  @Test("separates the dumps of a log and labels them with their headers")
  func log() throws {
    let decrypted = TextFixture.diable.blocks
    let encrypted = TextFixture.memoryBlocks.enumerated().map {
      "#\(TextFixture.hex([UInt8($0)], upper: false))  \(TextFixture.hex($1.map { $0 ^ 0x5A }))  ........"
    }
    let head = ["10:15:00 NFC: sensor uid: 67452301 00a007e0", "10:15:00 NFC: patch info: 9d0830010000"]
    let config = ["Config RAM (patch UID at 0x1A08):", "1a00  01 02 03 04 05 06 07 08  ........"]
    let output = ["'B0/B3' command output (1 blocks):", "#00  01 02 03 04 05 06 07 08  ........"]
    let text =
      head + config + ["10:15:01 NFC: did read 43 FRAM blocks:"] + encrypted + [
        "10:15:02 decrypted", "Sensor decrypted FRAM:",
      ]
      + decrypted + output
    let found = try dumps(text.joined(separator: "\n"))
    #expect(
      found.map(\.label) == [
        "Config RAM (patch UID at 0x1A08)", "10:15:01 NFC: did read 43 FRAM blocks", "Sensor decrypted FRAM",
        "'B0/B3' command output (1 blocks)",
      ])
    #expect(found.map(\.line) == [3, 5, 50, 94])
    #expect(found.map(\.image.bytes.count) == [8, 344, 344, 8])
    #expect(found.allSatisfy { $0.image.uid == TextFixture.uid })
    let chosen = try image(text.joined(separator: "\n"))
    #expect(chosen == found[2].image && chosen.bytes == TextFixture.memory)
    #expect(chosen.patchInfo == PatchInfo([0x9D, 8, 0x30, 1, 0, 0]))
  }

  @Test("does not take a log line that ends in a colon between two rows for a header")
  func colon() throws {
    var lines = TextFixture.diable.lines
    for index in stride(from: 9, to: 48, by: 3) { lines.insert("10:15:00 NFC: still reading:", at: index) }
    #expect(try image(lines.joined(separator: "\n")) == TextFixture.diable.image)
  }

  @Test("starts a new dump of rows without numbers at each header")
  func unnumberedDumps() throws {
    let row = { (byte: Int) in "\(TextFixture.hex(Array(repeating: UInt8(byte), count: 8)))  ........" }
    let found = try dumps(
      (["FRAM:"] + [1, 2].map(row) + ["note", "Decrypted FRAM:"] + [3, 4].map(row)).joined(separator: "\n"))
    #expect(found.map(\.label) == ["FRAM", "Decrypted FRAM"])
    #expect(found.map { Set($0.image.bytes) } == [[1, 2], [3, 4]])
  }

  @Test("writes the known facts as comments, then the DiaBLE header and rows")
  func written() throws {
    let image = MemoryImage(
      bytes: [0x22, 0x48, 0, 0, 3, 0, 0, 0x7E] + Array(repeating: 0, count: 72) + Array(0xF8...0xFF),
      missingBlocks: Array(1...9),
      uid: TextFixture.uid, patchInfo: PatchInfo([0xDF, 0, 0, 1, 2, 3]),
      readAt: Instant(secondsSince1970: 1_714_644_900))
    #expect(
      String(decoding: try DiaBLEDump().file(of: image), as: UTF8.self) == """
        # uid: E007A00001234567
        # patch-info: DF0000010203
        # read-at: 2024-05-02T10:15:00Z
        # missing-blocks: 1-9
        NFC: did read 2 FRAM blocks:
        #00  22 48 00 00 03 00 00 7E  "H.....~
        #0a  F8 F9 FA FB FC FD FE FF  ........

        """)
  }
}
