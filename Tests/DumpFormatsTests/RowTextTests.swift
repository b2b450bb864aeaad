// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import DumpFormats

/// Promises that hold for every format whose rows have a column of characters, and whose logs may have several dumps.
struct RowTextTests {
  @Test(
    "the column of characters is ignored, even if it looks like bytes or columns",
    arguments: [
      (
        DiaBLEDump(), "#00  41 42 20 43 44 20 45 46  AB CD EF\n#01  31 32 20 33 34 20 35 36  12 34 56",
        "AB CD EF12 34 56"
      ),
      (DiaBLEDump(), "31 32 20 33 34 20 35 36  12 34 56", "12 34 56"),
      (
        OldProxmarkDump(),
        "Block 00   3A 41 30 41 2E 2E 2E 2E    :A0A....          \nBlock 01   41 42 20 43 44 20 45 46    AB CD EF",
        ":A0A....AB CD EF"
      ),
      (OldProxmarkDump(), "Block 00   31 20 20 32 20 20 20 20    1  2              ", "1  2    "),
      (
        TagInfoDump(), "[00] . 20 41 42 20 43 44 20 7C | AB CD ||\n[01] x 31 32 20 33 34 20 35 36 |12 34 56|",
        " AB CD |12 34 56"
      ),
      (XxdDump(), "00000000: 6162 2063 6420 2065 663a 2031 327c 3334  ab cd  ef: 12|34\n", "ab cd  ef: 12|34"),
      (
        HexdumpDump(),
        "00000000  61 62 20 63 64 20 20 65  66 3a 20 31 32 7c 33 34  |ab cd  ef: 12|34|\n00000010\n",
        "ab cd  ef: 12|34"
      ),
    ] as [(any DumpFormat, String, String)])
  func characters(format: any DumpFormat, text: String, bytes: String) throws {
    #expect(try format.onlyImage(in: text) == MemoryImage(bytes: Array(bytes.utf8)))
  }

  /// A text, the label of its dumps, and the lines before each of them.
  private static let headers: [(fixture: TextFixture, label: String?, header: @Sendable (_ uid: String) -> [String])] =
    [
      (.oldProxmark, nil, { ["Reading memory from tag UID=\($0)"] }),
      (.tagInfo, nil, { ["** TagInfo scan (version 4.25.5) 2024-05-02 12:15:00 **", "ID: \($0)"] }),
      (.libreMonitorAppend, "Sensor 1", { ["// # ID: \($0)", "// # Memory content: Sensor 1"] }),
      (.proxmarkConsole, nil, { ["[+] UID....... \($0)", TextFixture.proxmarkHeader] }),
      (.xxd, nil, { _ in ["and"] }), (.hexdump, nil, { _ in ["and"] }),
    ]

  @Test("each header starts a new dump with its own UID, even if the dump before is incomplete", arguments: 0..<6)
  func several(index: Int) throws {
    let (fixture, label, header) = Self.headers[index]
    let (first, second) = ("E0 07 A0 00 00 00 00 01", "E0 07 A0 00 00 00 00 02")
    // A listing has neither a UID nor numbers, and its last row shows where it ends.
    let isListing = !fixture.numbersBlocks
    let cut = isListing ? fixture.blocks + fixture.tail : fixture.blocks.dropLast()
    let start = header(first) + cut
    let lines = start + header(second) + fixture.blocks + (isListing ? fixture.tail : [])
    let found = try fixture.format.allDumps(in: lines.joined(separator: "\n"))
    #expect(found.map(\.label) == [label, label])
    // The line of the title, or of the first row.
    let line = label == nil ? header(first).count + 1 : 2
    #expect(found.map(\.line) == [line, start.count + line])
    #expect(found.map(\.image.uid) == [first, second].map { isListing ? nil : try? SensorUID(printed: $0) })
    let whole = TextFixture.memory
    #expect(found.map(\.image.bytes) == [isListing ? whole : whole.dropLast(8), whole])
  }
}

struct OldProxmarkDumpTests {
  private func image(_ text: String) throws -> MemoryImage { try OldProxmarkDump().onlyImage(in: text) }

  @Test("reads numbers as decimal if one has a single digit, otherwise as hex")
  func radix() throws {
    let bytes = "   01 02 03 04 05 06 07 08"
    #expect(try image("Block 10\(bytes)").bytes.count == 17 * 8)
    #expect(try image("Block 10\(bytes)\nBlock  9\(bytes)").bytes.count == 11 * 8)
    #expect(
      OldProxmarkDump().refusal(of: "Block  9\(bytes)\nBlock 0a\(bytes)")
        == .badLine(line: 2, expected: "a decimal block number, as in the other rows"))
  }

  @Test("reports as missing the two footer blocks and the code blocks that readdump does not show")
  func readdump() throws {
    let rows =
      TextFixture.readdump.blocks[..<41] + ["...", "", "F9B8 Block 2B 9E 42 03 04 05 06 07 08 CRC and commands"]
    let image = try image(rows.joined(separator: "\n"))
    #expect(image.missingBlocks == [41, 42])
    #expect(Array(image.bytes.suffix(8)) == [0x9E, 0x42, 3, 4, 5, 6, 7, 8])
  }
}

struct TagInfoDumpTests {
  private func image(_ text: String) throws -> MemoryImage { try TagInfoDump().onlyImage(in: text) }

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

  @Test("derives the block size from the rows, and ignores the rest of the report")
  func blockSize() throws {
    #expect(try image("[01] . 1C 01 00 1B |....|\n[00] . 01 02 03 04 |....|").bytes == [1, 2, 3, 4, 0x1C, 1, 0, 0x1B])
    #expect(try image(TextFixture.tagInfo.blocks.joined(separator: "\n")) == MemoryImage(bytes: TextFixture.memory))
  }

  @Test(
    "refuses blocks of two sizes or an impossible one, a text without a memory, and a report in XML",
    arguments: [
      (
        "[00] . 01 02 03 04\n[01] . 01 02 03 04 05 06 07 08 |........|",
        .badLine(line: 1, expected: "a block of 8 bytes")
      ),
      ("[5E] . F1 05 C8 D8 99 80 F7", .wrongLength(found: 665)),
      ("** TagInfo scan (version 4.25.5) **\n-- IC INFO ---", .noMemory),
      (
        "<?xml version=\"1.0\"?>\n<report by=\"NXP TagInfo\"/>",
        .badLine(line: 1, expected: "TagInfo's report as text; its XML is not supported")
      ),
    ] as [(String, DumpError)])
  func refusals(text: String, error: DumpError) { #expect(TagInfoDump().refusal(of: text) == error) }
}

struct BlockListDumpTests {
  @Test("reads rows in any order, with spaces or commas, after a log prefix")
  func whole() throws {
    for separator in [" ", ", ", ","] {
      let rows = TextFixture.memoryBlocks.enumerated().reversed().map { number, bytes in
        "12:00:01 > Block \(number): " + bytes.map { "0x" + TextFixture.hex([$0]) }.joined(separator: separator)
      }
      #expect(try BlockListDump().onlyImage(in: rows.joined(separator: "\r\n")).bytes == TextFixture.memory)
    }
  }
}
