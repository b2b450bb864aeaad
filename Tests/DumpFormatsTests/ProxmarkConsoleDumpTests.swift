// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import DumpFormats

struct ProxmarkConsoleDumpTests {
  private let format = ProxmarkConsoleDump()
  private let rows = TextFixture.proxmarkConsole.blocks

  private func text(_ lines: [String]) -> String { lines.joined(separator: "\n") }

  private func image(_ lines: String...) throws -> MemoryImage { try format.onlyImage(in: text(lines)) }

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
    #expect(try image(line) == MemoryImage(bytes: [0x22, 0x48, 0, 0, 3, 0, 0, 0]))
  }

  @Test(
    "finds the UID in the forms that clients print, and treats the zeros of an empty emulator as no UID",
    arguments: [
      ("[+] UID....... E0 07 A0 00 01 23 45 67", TextFixture.uid),
      ("[+] UID.... \u{1B}[32mE0 07 A0 00 01 23 45 67\u{1B}[0m", TextFixture.uid),
      ("[+]  UID: E0 07 A0 00 01 23 45 67", TextFixture.uid), ("[=] UID: E007A00001234567", TextFixture.uid),
      ("UID. E0 07 A0 00 01 23 45 67 ( ok )", TextFixture.uid), ("[+] UID....... 00 00 00 00 00 00 00 00", nil),
      ("[+] UID....... E0 07 A0", nil),
    ])
  func uid(line: String, uid: SensorUID?) throws {
    #expect(try image(line, rows[0]).uid == uid && image(rows[0], line).uid == uid)
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
    let row = { TextFixture.proxmarkRow($0, [UInt8](repeating: 7, count: 8)) }
    let dots = "[=]   ......"
    #expect(try image(row(0), dots, row(4), dots) == MemoryImage(bytes: Array(repeating: 7, count: 40)))
    // Dots before any block, and between neighbours, repeat nothing.
    #expect(try image(dots, row(0)).bytes.count == 8)
    #expect(try image(row(0), dots, row(1)).bytes.count == 16)
    // The blocks in between are missing where no dots stand. Dots are not carried over to the next dump.
    #expect(try image(row(0), row(3)).missingBlocks == [1, 2])
    let two = try format.allDumps(in: text([row(0), dots, TextFixture.proxmarkHeader, rows[3]]))
    #expect(two.map(\.image.missingBlocks) == [[], [0, 1, 2]])
  }

  @Test("refuses dots that expand a small file to thousands of memories, but accepts a log of many dense dumps")
  func manyDots() throws {
    let row = { TextFixture.proxmarkRow($0, [0, 0, 0, 0, 0, 0, 0, 1]) }
    let dots = [row(0), "[=]   ......", row(243)]
    #expect(try format.onlyImage(in: text(dots)).bytes.count == 1_952)
    #expect(format.refusal(of: text(dots + dots)) == .tooLarge(found: nil, limit: DumpFile.sizeLimit))
    let log = (0..<100).flatMap { _ in TextFixture.proxmarkConsoleDense.lines }
    #expect(try format.onlyImage(in: text(log)) == TextFixture.proxmarkConsoleDense.image)
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

  @Test("reports the line of a row that is cut off or invalid, of contradictory rows, and of an invalid UID")
  func damage() {
    let sound = "01 02 03 04 05 06 07 08 | 0 | ........"
    let rows: [(lines: [String], error: DumpError)] =
      ["22 48 00", "22 48 00 00 03 00 00 00 00", "22 48 00 00 03 00 00 0"].map {
        (["[=]    1 | \($0)"], .badLine(line: 2, expected: "a block of 8 bytes"))
      } + [
        (
          [self.rows[1], TextFixture.proxmarkRow(0, [UInt8](repeating: 9, count: 8))],
          .conflictingBlocks(block: 0, lines: [1, 3])
        ),
        (["[=]  244 | \(sound)"], .blockOutOfRange(block: 244, line: 2)),
        (["[=]   ......", "[=] 999999 | \(sound)"], .blockOutOfRange(block: 999_999, line: 3)),
        (
          ["[+] UID....... 11 22 33 44 55 66 77 88"],
          .badHeader(line: 2, key: "UID", value: "1122334455667788")
        ),
      ]
    for (lines, error) in rows { #expect(format.refusal(of: text([self.rows[0]] + lines)) == error) }
  }

  @Test("recognises the client's defect by its 244 blocks and the lock bytes in the first 84")
  func defect() throws {
    let bytes = TextFixture.overwritten()
    let rows = (0..<244).map { TextFixture.proxmarkRow($0, Array(bytes[8 * $0..<8 * $0 + 8])) }
    var expected = TextFixture.salvaged()
    expected.line = 1
    #expect(try format.onlyDump(in: text(rows)) == expected)
    // One page less than the limit, and a memory whose first blocks are not in the log.
    for (range, defect) in [(0..<160, nil), (0..<161, .overwrittenByProxmark), (11..<244, nil)]
      as [(Range<Int>, DumpDefect?)]
    {
      #expect(try format.onlyDump(in: text(Array(rows[range]))).defect == defect)
    }
  }
}
