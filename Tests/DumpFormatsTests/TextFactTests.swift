// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing
import TextFormats

@testable import DumpFormats

@Suite("Sensor facts in a line")
struct TextFactTests {
  private func fact(_ text: String) throws(DumpError) -> TextFact? {
    try TextFact(TextLine(number: 7, bytes: Array(text.utf8)[...]))
  }

  @Test(
    "the UID is read in either order, anywhere in a log line",
    arguments: [
      "UID: E0 07 A0 00 01 23 45 67", "UID: 67 45 23 01 00 A0 07 E0", "uid=E007A00001234567",
      "Uid : e0:07:a0:00:01:23:45:67",
      "# ID: E0:07:A0:00:01:23:45:67", "ID:E0-07-A0-00-01-23-45-67",
      "[+] UID: E0 07 A0 00 01 23 45 67 (Texas Instruments)",
      "2024-05-02 10:15:00.123 app[12:34] NFC: sensor uid: e007a00001234567", "sensor_uid = 6745230100a007e0, ic 1",
      "tag identifier: E007A00001234567", "UID: E007A00001234567 decoded", "UID:\tE0 07 A0 00 01 23 45 67\tactive",
      "uid: unknown, uid: E007A00001234567", "UID: E007A00001234567\u{FFFD}",
    ])
  func uid(line: String) throws {
    #expect(try fact(line) == SensorUID(bits: 0xE007_A000_0123_4567).map(TextFact.uid))
  }

  @Test(
    "no UID is read where none is named, or where its name is the end of another word",
    arguments: [
      "E0 07 A0 00 01 23 45 67", "guid: E007A00001234567", "valid: E007A00001234567", "uuid: E007A00001234567",
      "UID E007A00001234567", "UID: E007A000012345", "UID: E007A0000123456789", "UID:",
      "UID: none",
      "UID: \"E007A00001234567\"", "peripheral id: 0A1B2C3D-0A1B-0A1B-0A1B-0A1B2C3D4E5F",
      "session id: 0102030405060708",
      "id = 0102030405060708", "", ":", "===",
    ])
  func noUID(line: String) throws {
    #expect(try fact(line) == nil)
  }

  @Test("text after an identifier and a space does not belong to the identifier")
  func behind() throws {
    #expect(try fact("UID: E007A00001234567 89") == SensorUID(bits: 0xE007_A000_0123_4567).map(TextFact.uid))
    #expect(
      try fact("patch info: DF 00 00 01 01 00 2024-05-02 10:15:00")
        == PatchInfo([0xDF, 0, 0, 1, 1, 0]).map(TextFact.patchInfo))
  }

  @Test(
    "eight bytes that are called a UID but are not one, or whose order is ambiguous, are an error in their line",
    arguments: [
      ("10:15 sensor uid: 01 02 03 04 05 06 07 08", "0102030405060708"),
      ("sensor uid: E0 67 45 23 00 A0 07 E0", "E067452300A007E0"),
    ])
  func badUID(line: String, value: String) {
    #expect(throws: DumpError.badHeader(line: 7, key: "uid", value: value)) { try fact(line) }
  }

  @Test(
    "the patch info is read by each of its names",
    arguments: [
      "patch info: DF 00 00 01 01 00", "Patch Info: df0000010100", "10:15:00 sensor patchInfo=DF0000010100",
      "patch-info: DF:00:00:01:01:00", "patch_info = DF 00 00 01 01 00 raw",
    ])
  func patchInfo(line: String) throws {
    #expect(try fact(line) == PatchInfo([0xDF, 0, 0, 1, 1, 0]).map(TextFact.patchInfo))
  }

  @Test(
    "no patch info is read from a value that is too short, too long or invalid",
    arguments: [
      "patch info: DF00", "patch info: \(String(repeating: "00", count: 25))", "patch info: none", "info: DF0000010100",
    ])
  func noPatchInfo(line: String) throws {
    #expect(try fact(line) == nil)
  }

  @Test("all four of our own comments are read")
  func ours() throws {
    #expect(try fact("# uid: E007A00001234567") == SensorUID(bits: 0xE007_A000_0123_4567).map(TextFact.uid))
    #expect(try fact("# patch-info: DF0000010100") == PatchInfo([0xDF, 0, 0, 1, 1, 0]).map(TextFact.patchInfo))
    #expect(
      try fact("  #Read-At: 2024-05-02T12:15:00+02:00") == .readAt(Instant(secondsSince1970: 1_714_644_900)))
    #expect(try fact("# missing-blocks: 3, 12-14") == .missingBlocks([3, 12, 13, 14]))
  }

  @Test("time and missing blocks are read only from our own comments")
  func notOurs() throws {
    #expect(try fact("read-at: 2024-05-02T10:15:00Z") == nil)
    #expect(try fact("missing-blocks: 3") == nil)
    #expect(try fact("# created: 2024-05-02T10:15:00Z") == nil)
  }

  @Test(
    "our own comments must have the exact form",
    arguments: [("uid", "none"), ("patch-info", "DF"), ("read-at", "2024-05-02T10:15:00"), ("missing-blocks", "x")])
  func badOurs(key: String, value: String) {
    #expect(throws: DumpError.badHeader(line: 7, key: key, value: value)) { try fact("# \(key): \(value) ") }
  }

  @Test("facts are written as our own comments and read back unchanged")
  func comments() throws {
    let image = MemoryImage(
      bytes: [], missingBlocks: [0, 5, 6], uid: SensorUID(bits: 0xE007_A000_0123_4567),
      patchInfo: PatchInfo([0xDF, 0, 0, 1, 1, 0]), readAt: Instant(secondsSince1970: 1_714_644_900))
    let comments = TextFact.comments(of: image)
    #expect(
      comments == [
        "# uid: E007A00001234567", "# patch-info: DF0000010100", "# read-at: 2024-05-02T10:15:00Z",
        "# missing-blocks: 0, 5-6",
      ])
    #expect(try fact(comments[3]) == .missingBlocks([0, 5, 6]))
    #expect(TextFact.comments(of: image, without: [.uid, .missingBlocks]) == Array(comments[1...2]))
    #expect(TextFact.comments(of: MemoryImage(bytes: [])).isEmpty)
  }
}
