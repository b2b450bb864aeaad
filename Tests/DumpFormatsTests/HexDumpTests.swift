// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import TestSupport
import Testing

@testable import DumpFormats

struct HexDumpTests {
  private func parse(_ text: String) throws(DumpError) -> MemoryImage { try HexDump().onlyImage(in: text) }

  @Test("one memory on each line gives several memories, one block on each line gives one")
  func series() throws {
    let memories = (1...3).map { Scenario.named("active")?.memory(seed: UInt64($0)) ?? [] }
    let lines = memories.map { HexText.string(of: $0) }
    let found = try HexDump().allDumps(in: lines.joined(separator: "\n"))
    #expect(found.map(\.image.bytes) == memories)
    #expect(try HexDump().allDumps(in: lines[0]).map(\.image.bytes) == [memories[0]])
    // An incomplete memory must not absorb the next one.
    let cut = try HexDump().allDumps(in: lines[0].dropLast(16) + "\n" + lines[1])
    #expect(cut.map(\.image.bytes.count) == [336, 344])
  }

  @Test(
    "reads digits in any spacing and case, and in source code notation",
    arguments: [
      "0A1BFF", "0a1bff", "0A 1B FF", "  0A\t1b\u{0B}FF \u{0C}", "0A1B FF", "0A:1B:FF", "0A-1B-FF", "0A,1B,FF,",
      "0A;1B;FF",
      "0x0A, 0x1B, 0xff", "0X0a 0X1B 0XFF", "0x0A1BFF", "[0x0A, 0x1B, 0xFF]", "{ 0x0A, 0x1B, 0xFF };", "(0A 1B FF)",
      "<0a1bff>", "\"0A1BFF\"", "'0A', '1B', 'FF'", "\"0A\",\n\"1B\",\n\"FF\"\n", "0A\n1B\nFF", "0A\r\n1B\r\nFF\r\n",
      "\n\n0A\n\n1BFF\n\n", "# made by hand\n0A 1B\n   # the last\nFF", "#\n0A1BFF", "#0A1BFE\n0A1BFF",
    ])
  func spacing(text: String) throws {
    #expect(try parse(text) == MemoryImage(bytes: [0x0A, 0x1B, 0xFF]))
  }

  /// A text of digits behind which half of the text is hex, so that a wrong digit is one.
  private static let rest = "\n0A1BFF0A1BFF0A1BFF0A1BFF"

  @Test(
    "reports the line of a digit without its partner, and line, column and character of an invalid one",
    arguments: [
      // Digits are not joined across a line end or a separator.
      ("A\nB", .oddHexDigits(line: 1)), ("0A 1\n2", .oddHexDigits(line: 1)), ("0A 1 2", .oddHexDigits(line: 1)),
      ("0A,1,2", .oddHexDigits(line: 1)), ("0A1", .oddHexDigits(line: 1)),
      ("0A1B\n# note\n0A1\nFF", .oddHexDigits(line: 3)), ("0A\r\n0x5\r\n", .oddHexDigits(line: 2)),
      ("0A 1B FF\n0A 1B OO\(rest)", .notHex(line: 2, column: 7, character: "O")),
      ("0g\(rest)", .notHex(line: 1, column: 2, character: "g")),
      ("0A x1B\(rest)", .notHex(line: 1, column: 4, character: "x")),
      ("0A # on\(rest)", .notHex(line: 1, column: 4, character: "#")),
      ("0A\r\n1B\r\nä\(rest)", .notHex(line: 3, column: 1, character: "byte C3")),
      // If half of the text is not hex, it is another format, or prose.
      ("0A g", .notHex(line: 1, column: 4, character: "g")), ("0A go", .notThisFormat(lacks: "only hex digits")),
      ("hello", .notThisFormat(lacks: "only hex digits")),
      (
        "# a comment does not count: 0A1BFF0A1BFF\n0A\nThe sensor was read.",
        .notThisFormat(lacks: "only hex digits")
      ),
      ("# head\n#00 0A", .notThisFormat(lacks: "hex digits")), ("\n", .notThisFormat(lacks: "hex digits")),
      ("<>", .notThisFormat(lacks: "hex digits")),
      // The same lengths as in a raw dump.
      (String(repeating: "A5 ", count: 345), .wrongLength(found: 345)),
      (String(repeating: "A5 ", count: 1_960), .wrongLength(found: 1_960)),
    ] as [(String, DumpError)])
  func refusals(text: String, error: DumpError) { #expect(HexDump().refusal(of: text) == error) }

  @Test("reads UID, patch info and time from the header, and passes over comments with another key or without a colon")
  func head() throws {
    let image = try parse(
      """
      # Simulated: a note with a colon
      # uid: E007A0000025905E
      # patch-info: DF0000000000
      # read-at: 2024-05-02T10:15:00Z
      # uid E007A00000001111
      #:
      #
      0A1B
      """)
    let expected = MemoryImage(
      bytes: [0x0A, 0x1B], uid: SensorUID(bits: 0xE007_A000_0025_905E), patchInfo: PatchInfo([0xDF, 0, 0, 0, 0, 0]),
      readAt: Instant(secondsSince1970: 1_714_644_900))
    #expect(image == expected)
    // A file that was cut off lists missing blocks after its end.
    let memory = String(repeating: "00 ", count: 336)
    #expect(try parse("# missing-blocks: 41-43\n\(memory)").missingBlocks == [41])
  }

  @Test("writes notes, the header and one block on each line")
  func text() {
    let image = MemoryImage(
      bytes: Array(0..<18), missingBlocks: [0, 2, 3, 4], uid: SensorUID(bits: 0xE007_A000_0025_905E))
    #expect(
      HexDump.text(of: image, notes: ["One.", "Two."]) == """
        # One.
        # Two.
        # uid: E007A0000025905E
        # missing-blocks: 0, 2-4
        00 01 02 03 04 05 06 07
        08 09 0A 0B 0C 0D 0E 0F
        10 11

        """)
    #expect(HexDump.text(of: MemoryImage(bytes: [0xFF]), notes: []) == "FF\n")
  }

  @Test("a header after a complete memory belongs to the next one; a header after the last memory belongs to it")
  func severalMemories() throws {
    let memory = MemoryBuilder.pattern().bytes
    let uids = [0xE007_A000_0000_1111, 0xE007_A000_0000_2222].map { SensorUID(bits: $0) }
    let files = uids.map { HexDump.text(of: MemoryImage(bytes: memory, uid: $0), notes: ["A dump."]) }
    #expect(try HexDump().allDumps(in: files.joined()).map(\.image.uid) == uids)
    let behind = HexDump.text(of: MemoryImage(bytes: memory), notes: []) + "# uid: E007A00000001111\n"
    #expect(try HexDump().allDumps(in: behind).map(\.image.uid) == [uids[0]])
  }

  @Test("two contradictory headers are an error, and two equal ones are not")
  func contradiction() throws {
    let head = "# uid: E007A00000001111\n"
    #expect(HexDump().refusal(of: head + head + "0A") == nil)
    #expect(
      HexDump().refusal(of: head + "UID: E0 07 A0 00 00 00 22 22\n0A") == .contradiction(line: 2, key: "UID"))
  }
}
