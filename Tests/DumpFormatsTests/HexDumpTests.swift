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

  @Test("does not join digits across a line end or a separator", arguments: ["A\nB", "0A 1\n2", "0A 1 2", "0A,1,2"])
  func noJoining(text: String) {
    #expect(throws: DumpError.oddHexDigits(line: 1)) { try parse(text) }
  }

  @Test("reports the line of a digit without its partner")
  func oddDigits() {
    #expect(throws: DumpError.oddHexDigits(line: 3)) { try parse("0A1B\n# note\n0A1\nFF") }
    #expect(throws: DumpError.oddHexDigits(line: 2)) { try parse("0A\r\n0x5\r\n") }
    #expect(throws: DumpError.oddHexDigits(line: 1)) { try parse("0A1") }
  }

  @Test("reports line, column and character of an invalid digit")
  func notHex() {
    let rest = "\n0A1BFF0A1BFF0A1BFF0A1BFF"
    #expect(throws: DumpError.notHex(line: 2, column: 7, character: "O")) { try parse("0A 1B FF\n0A 1B OO\(rest)") }
    #expect(throws: DumpError.notHex(line: 1, column: 2, character: "g")) { try parse("0g\(rest)") }
    #expect(throws: DumpError.notHex(line: 1, column: 4, character: "x")) { try parse("0A x1B\(rest)") }
    #expect(throws: DumpError.notHex(line: 1, column: 4, character: "#")) { try parse("0A # on\(rest)") }
    #expect(throws: DumpError.notHex(line: 3, column: 1, character: "byte C3")) { try parse("0A\r\n1B\r\nä\(rest)") }
  }

  @Test("does not report invalid digits if half of the text is not hex: it is another format, or prose")
  func prose() {
    let other = DumpError.notThisFormat(lacks: "only hex digits")
    #expect(throws: other) { try parse("hello") }
    #expect(throws: other) { try parse("# a comment does not count: 0A1BFF0A1BFF\n0A\nThe sensor was read.") }
    #expect(throws: other) { try parse("0A go") }
    #expect(throws: DumpError.notHex(line: 1, column: 4, character: "g")) { try parse("0A g") }
  }

  @Test("refuses the same lengths as a raw dump", arguments: [345, 350, 353, 1_953, 1_960])
  func wrongLength(count: Int) {
    #expect(throws: DumpError.wrongLength(found: count)) { try parse(String(repeating: "A5 ", count: count)) }
  }

  @Test("does not claim a text without digits, whatever its comments are", arguments: ["# head\n#00 0A", "\n", "<>"])
  func noDigits(text: String) {
    #expect(throws: DumpError.notThisFormat(lacks: "hex digits")) { try parse(text) }
  }

  @Test("reads UID, patch info and time from the header")
  func head() throws {
    let image = try parse(
      """
      # Simulated: a note with a colon
      # uid: E007A0000025905E
      # patch-info: DF0000000000
      # read-at: 2024-05-02T10:15:00Z
      0A1B
      """)
    #expect(image.bytes == [0x0A, 0x1B])
    #expect(image.uid == SensorUID(bits: 0xE007_A000_0025_905E))
    #expect(image.patchInfo == PatchInfo([0xDF, 0, 0, 0, 0, 0]))
    #expect(image.readAt == Instant(secondsSince1970: 1_714_644_900))
    #expect(image.missingBlocks.isEmpty)
  }

  @Test("treats comments with other keys or without a colon as plain comments")
  func comments() throws {
    let image = try parse("# made at 10:15 by nobody\n# uid E007A0000025905E\n# reader: none\n#:\n#\n0A")
    #expect(image == MemoryImage(bytes: [0x0A]))
  }

  @Test("ignores listed missing blocks after the end, as in a file that was cut off")
  func missingBehindEnd() throws {
    let memory = String(repeating: "00 ", count: 336)
    #expect(try parse("# missing-blocks: 41-43\n\(memory)").missingBlocks == [41])
  }

  @Test("writes notes, the header and one block on each line")
  func text() throws {
    let uid = try #require(SensorUID(bits: 0xE007_A000_0025_905E))
    var image = MemoryImage(
      bytes: Array(0..<18), uid: uid, patchInfo: PatchInfo([0xDF, 0, 0, 1, 2, 3]),
      readAt: Instant(secondsSince1970: 1_714_644_900))
    image.missingBlocks = [0, 2, 3, 4]
    #expect(
      HexDump.text(of: image, notes: ["One.", "Two."]) == """
        # One.
        # Two.
        # uid: E007A0000025905E
        # patch-info: DF0000010203
        # read-at: 2024-05-02T10:15:00Z
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
    #expect(try HexDump().allDumps(in: head + head + "0A").count == 1)
    #expect(throws: DumpError.contradiction(line: 2, key: "UID")) {
      try HexDump().allDumps(in: head + "UID: E0 07 A0 00 00 00 22 22\n0A")
    }
  }
}
