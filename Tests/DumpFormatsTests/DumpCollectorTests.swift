// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import DumpFormats

@Suite("Collection of the dumps in a text")
struct DumpCollectorTests {
  private func elements(_ lines: [String]) throws(DumpError) -> [DumpSequence.Element] {
    Array(try NumberedText().dumps(in: DumpFile(Array(lines.joined(separator: "\n").utf8))))
  }

  private func dumps(_ lines: [String]) throws -> [Dump] { try elements(lines).map { try $0.get() } }

  private func line(_ number: Int, _ digits: String) -> String {
    "block \(number): " + Array(repeating: digits, count: 8).joined(separator: " ")
  }

  /// A complete memory filled with one byte.
  private func whole(_ digits: String, _ numbers: some Sequence<Int> = 0..<43) -> [String] {
    numbers.map { line($0, digits) }
  }

  private let first = SensorUID(bits: 0xE007_A000_0000_1111)
  private let second = SensorUID(bits: 0xE007_A000_0000_2222)
  private let noon = Instant(secondsSince1970: 1_714_651_200)
  private let firstUID = "# uid: E007A00000001111"
  private let secondUID = "# uid: E007A00000002222"
  private let atNoon = "# read-at: 2024-05-02T12:00:00Z"

  @Test("block 0 after a complete memory starts a new dump, also if it is unread; before that it is a copy")
  func blockZero() throws {
    let two = try dumps(whole("11") + whole("22"))
    #expect(two.map(\.image.bytes) == [Array(repeating: 0x11, count: 344), Array(repeating: 0x22, count: 344)])
    #expect(two.map(\.line) == [1, 44])
    #expect(try dumps(whole("11") + whole("11")).count == 2)
    #expect(try dumps([line(0, "11")] + whole("11")).count == 1)
    #expect(try dumps(whole("11", (0..<43).reversed())).count == 1)
    // Blocks after the 344 bytes belong to the memory before them.
    #expect(try dumps(whole("11", 0..<244) + whole("22", 0..<244)).map(\.image.bytes.count) == [1_952, 1_952])
    let unread = try dumps(whole("11") + ["block 0: lost"] + whole("22", 1..<43))
    #expect(unread.map(\.image.missingBlocks) == [[], [0]])
    #expect(unread[1].image.bytes.suffix(336).allSatisfy { $0 == 0x22 })
  }

  @Test("a header starts a new dump with its name and line, even if the dump before is incomplete or has no blocks")
  func headers() throws {
    let found = try dumps(["", "== scanned", line(3, "11"), "== decrypted", "", line(3, "22"), "== three"])
    #expect(found.map(\.label) == ["scanned", "decrypted"] && found.map(\.line) == [2, 4])
    #expect(found.map { $0.image.bytes.last } == [0x11, 0x22])
    #expect(found.map(\.image.missingBlocks) == [[0, 1, 2], [0, 1, 2]])
    #expect(try dumps(["== one", "== two", line(0, "11")]).map(\.label) == ["two"])
    for lines in [["== one", "block 0: lost"], ["no block 1 in sight"]] { #expect(try dumps(lines).isEmpty) }
  }

  @Test("two contents for one block give a failure in that position, with both lines; the other dumps are read")
  func conflict() throws {
    let spoilt = whole("22")[...20] + [line(20, "33")] + whole("22")[21...]
    let found = try elements(whole("11") + spoilt + whole("44"))
    #expect(
      found == [
        .success(Dump(image: MemoryImage(bytes: Array(repeating: 0x11, count: 344)), line: 1)),
        .failure(.conflictingBlocks(block: 20, lines: [64, 65])),
        .success(Dump(image: MemoryImage(bytes: Array(repeating: 0x44, count: 344)), line: 88)),
      ])
  }

  @Test("only the first of several faults in a dump is reported, even if the dump has no other block")
  func firstFault() throws {
    #expect(
      try elements([line(3, "11"), line(3, "22"), line(250, "33"), line(3, "44")])
        == [.failure(.conflictingBlocks(block: 3, lines: [1, 2]))])
    #expect(try elements(["block 244: 01 02 03 04 05 06 07 08"]) == [.failure(.blockOutOfRange(block: 244, line: 1))])
    #expect(try elements(["== a", "block 1: 01 02"]) == [.failure(.badLine(line: 2, expected: "a block of 8 bytes"))])
  }

  @Test(
    "a dump has the UID and patch info named after the dump before it; one named after it only if it is unambiguous")
  func nearest() throws {
    let (one, two) = (line(0, "11"), line(0, "22"))
    let rows: [([String], [SensorUID?])] = [
      (
        [firstUID, "== a", one, "== b", secondUID, two, "== c", line(0, "33"), firstUID], [first, second, nil]
      ),
      ([one, firstUID, line(1, "11")], [first]), ([one, firstUID, firstUID], [first]),
      ([one, firstUID, secondUID], [nil]), (["== a", one, firstUID, "== b", two], [first, first]),
      (["== a", one, firstUID, "== b", two, secondUID], [first, second]),
      (["== a", one, firstUID, "== b", two, secondUID, "== c", line(0, "33")], [nil, nil, nil]),
    ]
    for (lines, uids) in rows {
      #expect(try dumps(lines).map(\.image.uid) == uids, "\(lines)")
    }
    let info = try dumps([
      "== a", "patch info: DF0000010100", line(0, "11"), "== b", "patch info: E50003010100", line(0, "22"),
    ])
    #expect(info.map(\.image.patchInfo) == [PatchInfo([0xDF, 0, 0, 1, 1, 0]), PatchInfo([0xE5, 0, 3, 1, 1, 0])])
  }

  @Test("a time belongs to its own dump and is not carried over from the dump before")
  func time() throws {
    #expect(try dumps([atNoon, "== a", line(0, "11"), "== b", line(0, "22")]).map(\.image.readAt) == [noon, nil])
    #expect(try dumps(["== a", line(0, "11"), "== b", atNoon, line(0, "22")]).map(\.image.readAt) == [nil, noon])
    #expect(try dumps([line(0, "11"), atNoon, line(1, "11")]).map(\.image.readAt) == [noon])
    #expect(try dumps([atNoon] + whole("11") + whole("22")).map(\.image.readAt) == [noon, nil])
    // The same holds for the dump after a damaged one.
    let found = try elements(["== a", line(1, "11"), line(1, "22"), atNoon, line(2, "11"), "== b", line(1, "33")])
    #expect(found.count == 2)
    #expect(try found[1].get().image.readAt == nil)
  }

  @Test("blocks that the lines call missing are added to the blocks that are absent")
  func missing() throws {
    let found = try dumps([
      "# missing-blocks: 2", "== a", line(0, "11"), line(2, "00"), "== b", line(0, "11"), line(2, "22"),
    ])
    #expect(found.map(\.image.missingBlocks) == [[1, 2], [1]])
  }
}
