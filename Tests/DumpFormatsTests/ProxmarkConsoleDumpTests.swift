// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import DumpFormats

struct ProxmarkConsoleDumpTests {
  private let format = ProxmarkConsoleDump()
  private let rows = TextFixture.proxmarkConsole.blocks

  private func text(_ lines: [String]) -> String { lines.joined(separator: "\n") }

  @Test(
    "accepts any lock field, with or without colours, and never reads beyond the bytes",
    arguments: [
      "[=]    0 | 22 48 00 00 03 00 00 00 | 1 | \"H......",
      "[=]    0 | 22 48 00 00 03 00 00 00 | \u{1B}[31m1\u{1B}[0m | .",
      "[=]    0 | 22 48 00 00 03 00 00 00 |   | 1 | 2 | 3", "[=]    0 | 22 48 00 00 03 00 00 00 | \"H......",
      "[=]    0 | 22 48 00 00 03 00 00 00|", "[=] 0 | 22 48 00 00 03 00 00 00 ",
      "12:30 pm3 [1] [=]    0 | 22 48 00 00 03 00 00 00 | 0 | UID: E0070",
      "[=]   0/0x00 | 22 48 00 00 03 00 00 00  | 0 | \"H......",
    ])
  func oneRow(line: String) throws {
    let image = try format.onlyDump(in: line).image
    #expect(image == MemoryImage(bytes: [0x22, 0x48, 0, 0, 3, 0, 0, 0]))
  }

  @Test(
    "finds the UID in the forms that clients print",
    arguments: [
      "[+] UID....... E0 07 A0 00 01 23 45 67", "[+] UID.... \u{1B}[32mE0 07 A0 00 01 23 45 67\u{1B}[0m",
      "[+]  UID: E0 07 A0 00 01 23 45 67", "[=] UID: E007A00001234567", "UID. E0 07 A0 00 01 23 45 67 ( ok )",
    ])
  func uid(line: String) throws {
    #expect(try format.onlyDump(in: text([line, rows[0]])).image.uid == TextFixture.uid)
    #expect(try format.onlyDump(in: text([rows[0], line])).image.uid == TextFixture.uid)
  }

  @Test("treats the zeros of an empty emulator as no UID, and refuses other invalid UIDs")
  func noUID() throws {
    #expect(try format.onlyDump(in: text(["[+] UID....... 00 00 00 00 00 00 00 00", rows[0]])).image.uid == nil)
    #expect(try format.onlyDump(in: text(["[+] UID....... E0 07 A0", rows[0]])).image.uid == nil)
    #expect(throws: DumpError.badHeader(line: 2, key: "UID", value: "1122334455667788")) {
      try format.onlyDump(in: text([rows[0], "[+] UID....... 11 22 33 44 55 66 77 88"]))
    }
  }

  @Test("reads rows without the client's prefix below its header, and refuses other tables without it")
  func withoutMark() throws {
    let bare = TextFixture.proxmarkConsole.lines.map { $0.hasPrefix("[=] ") ? String($0.dropFirst(4)) : $0 }
    #expect(try format.onlyDump(in: text(bare)).image == TextFixture.proxmarkConsole.image)
    let table = "000 |  00 | FD 61 18 19 01 00 00 00\n"
    #expect(try format.onlyDump(in: table + rows[0]).image.bytes == TextFixture.memoryBlocks[0])
  }

  @Test("repeats a block up to the next number, and does not guess how many blocks follow the last one")
  func dense() throws {
    let block = [UInt8](repeating: 7, count: 8)
    let row = { TextFixture.proxmarkRow($0, block) }
    let image = try format.onlyDump(in: text([row(0), "[=]   ......", row(4), "[=]   ......"])).image
    #expect(image == MemoryImage(bytes: Array(repeating: 7, count: 40)))
    // Dots before any block, and between neighbours, repeat nothing.
    #expect(try format.onlyDump(in: text(["[=]   ......", row(0)])).image.bytes.count == 8)
    #expect(try format.onlyDump(in: text([row(0), "[=]   ......", row(1)])).image.bytes.count == 16)
    // Without dots, the blocks in between are missing.
    #expect(try format.onlyDump(in: text([row(0), row(3)])).image.missingBlocks == [1, 2])
  }

  @Test("refuses dots that expand a small file to thousands of memories, but accepts a log of many dense dumps")
  func manyDots() throws {
    let full = [TextFixture.proxmarkRow(0, [0, 0, 0, 0, 0, 0, 0, 1]), "[=]   ......"]
    let dots = full + [TextFixture.proxmarkRow(243, [0, 0, 0, 0, 0, 0, 0, 1])]
    #expect(try format.onlyDump(in: text(dots)).image.bytes.count == 1_952)
    #expect(throws: DumpError.tooLarge(found: nil, limit: DumpFile.sizeLimit)) {
      try format.dumps(in: DumpFile(Array(text(dots + dots).utf8)))
    }
    let log = (0..<100).flatMap { _ in TextFixture.proxmarkConsoleDense.lines }
    #expect(try format.onlyDump(in: text(log)).image == TextFixture.proxmarkConsoleDense.image)
  }

  @Test("does not carry dots over to the next dump")
  func denseEnd() throws {
    let block = TextFixture.proxmarkRow(0, [1, 2, 3, 4, 5, 6, 7, 8])
    let dumps = try format.dumps(
      in: DumpFile(Array(text([block, "[=]   ......", TextFixture.proxmarkHeader, rows[3]]).utf8)))
    #expect(try dumps.map { try $0.get().image.missingBlocks } == [[], [0, 1, 2]])
  }

  @Test("reads the blocks of rdmulti as one memory, because their headers do not start a new one")
  func readMultiple() throws {
    var lines: [String] = []
    for start in stride(from: 0, to: 43, by: 6) {
      lines += ["[usb] pm3 --> hf 15 rdmulti -* -b \(start) --cnt 6", "[=]  #       | data         |lck| ascii"]
      lines += ["[=] ---------+--------------+---+----------"]
      for block in start..<min(start + 6, 43) {
        let hex = TextFixture.hex([UInt8(block)])
        lines.append("[=]  \(block)/0x\(hex) | \(TextFixture.hex(TextFixture.memoryBlocks[block])) | 0 | ........")
      }
    }
    #expect(try format.onlyDump(in: text(lines)).image.bytes == TextFixture.memory)
  }

  @Test("reads the blocks of rdbl, whose number is in the header")
  func readSingle() throws {
    let lines = TextFixture.memoryBlocks.enumerated().reversed().flatMap { block, bytes in
      [
        "[=] #\(block < 10 ? "  " : " ")\(block)        |lck| ascii", "[=] ------------+---+------",
        "[=] \(TextFixture.hex(bytes)) | 0 | \(TextFixture.ascii(bytes))", "[=] ------------+---+------",
      ]
    }
    #expect(try format.onlyDump(in: text(lines)).image.bytes == TextFixture.memory)
  }

  @Test("separates two dumps of a log, each with its own UID")
  func twoDumps() throws {
    let second = ["[+] UID....... E0 07 A0 00 00 25 90 5E", TextFixture.proxmarkHeader] + rows.reversed()
    let dumps = try format.dumps(in: DumpFile(Array(text(TextFixture.proxmarkConsole.lines + second).utf8)))
    let found = try dumps.map { try $0.get() }
    #expect(found.map(\.image.bytes) == [TextFixture.memory, TextFixture.memory])
    #expect(found.map(\.image.uid?.description) == ["E007A00001234567", "E007A0000025905E"])
    #expect(found.map(\.line) == [10, 56])
  }

  @Test("reports the line of a row that is cut off or invalid, and of contradictory rows")
  func damage() {
    for bytes in ["22 48 00", "22 48 00 00 03 00 00 00 00", "22 48 00 00 03 00 00 0"] {
      #expect(throws: DumpError.badLine(line: 2, expected: "a block of 8 bytes"), "\(bytes)") {
        try format.onlyDump(in: text([rows[0], "[=]    1 | \(bytes)"]))
      }
    }
    let other = TextFixture.proxmarkRow(0, [9, 9, 9, 9, 9, 9, 9, 9])
    #expect(throws: DumpError.conflictingBlocks(block: 0, lines: [1, 3])) {
      try format.onlyDump(in: text([rows[0], rows[1], other]))
    }
    #expect(throws: DumpError.blockOutOfRange(block: 244, line: 2)) {
      try format.onlyDump(in: text([rows[0], TextFixture.proxmarkRow(244, [1, 2, 3, 4, 5, 6, 7, 8])]))
    }
    #expect(throws: DumpError.blockOutOfRange(block: 999_999, line: 3)) {
      try format.onlyDump(in: text([rows[0], "[=]   ......", "[=] 999999 | 01 02 03 04 05 06 07 08 | 0 | ........"]))
    }
  }

  @Test("recognises the client's defect by its 244 blocks and the lock bytes in the first 84")
  func defect() throws {
    let bytes = TextFixture.overwritten()
    let rows = (0..<244).map { TextFixture.proxmarkRow($0, Array(bytes[8 * $0..<8 * $0 + 8])) }
    var expected = TextFixture.salvaged()
    expected.line = 1
    #expect(try format.onlyDump(in: text(rows)) == expected)
    // One page less than the limit, and a memory whose first blocks are not in the log.
    #expect(try format.onlyDump(in: text(Array(rows[..<160]))).defect == nil)
    #expect(try format.onlyDump(in: text(Array(rows[..<161]))).defect == .overwrittenByProxmark)
    #expect(try format.onlyDump(in: text(Array(rows[11...]))).defect == nil)
  }
}
