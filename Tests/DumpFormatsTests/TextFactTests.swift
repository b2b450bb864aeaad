// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing
import TextFormats

@testable import DumpFormats

@Suite("Sensor facts in a line")
struct TextFactTests {
  private static let uid = SensorUID(bits: 0xE007_A000_0123_4567).map(TextFact.uid)
  private static let patchInfo = PatchInfo([0xDF, 0, 0, 1, 1, 0]).map(TextFact.patchInfo)

  private func fact(_ text: String) throws(DumpError) -> TextFact? {
    try TextFact(TextLine(number: 7, bytes: Array(text.utf8)[...]))
  }

  @Test(
    "a fact is read by each of its names anywhere in a log line; no other words or values are one",
    arguments: [
      (
        uid,
        // Either order is read.
        [
          "UID: E0 07 A0 00 01 23 45 67", "UID: 67 45 23 01 00 A0 07 E0", "uid=E007A00001234567",
          "Uid : e0:07:a0:00:01:23:45:67", "# ID: E0:07:A0:00:01:23:45:67", "ID:E0-07-A0-00-01-23-45-67",
          "[+] UID: E0 07 A0 00 01 23 45 67 (Texas Instruments)", "# uid: E007A00001234567",
          "2024-05-02 10:15:00.123 app[12:34] NFC: sensor uid: e007a00001234567",
          "sensor_uid = 6745230100a007e0, ic 1", "tag identifier: E007A00001234567",
          "UID: E007A00001234567 decoded", "UID:\tE0 07 A0 00 01 23 45 67\tactive",
          "uid: unknown, uid: E007A00001234567", "UID: E007A00001234567\u{FFFD}", "UID: E007A00001234567 89",
        ]
      ),
      (
        patchInfo,
        [
          "patch info: DF 00 00 01 01 00", "Patch Info: df0000010100", "10:15:00 sensor patchInfo=DF0000010100",
          "patch-info: DF:00:00:01:01:00", "patch_info = DF 00 00 01 01 00 raw", "# patch-info: DF0000010100",
          "patch info: DF 00 00 01 01 00 2024-05-02 10:15:00",
        ]
      ),
      (.readAt(Instant(secondsSince1970: 1_714_644_900)), ["  #Read-At: 2024-05-02T12:15:00+02:00"]),
      (.missingBlocks([3, 12, 13, 14]), ["# missing-blocks: 3, 12-14"]),
      (
        nil,
        // Where none is named, where its name is the end of another word, and invalid values.
        [
          "E0 07 A0 00 01 23 45 67", "guid: E007A00001234567", "valid: E007A00001234567", "uuid: E007A00001234567",
          "UID E007A00001234567", "UID: E007A000012345", "UID: E007A0000123456789", "UID:", "UID: none",
          "UID: \"E007A00001234567\"", "peripheral id: 0A1B2C3D-0A1B-0A1B-0A1B-0A1B2C3D4E5F",
          "session id: 0102030405060708", "id = 0102030405060708", "", ":", "===", "patch info: DF00",
          "patch info: \(String(repeating: "00", count: 25))", "patch info: none", "info: DF0000010100",
          // Time and missing blocks are read only from our own comments.
          "read-at: 2024-05-02T10:15:00Z", "missing-blocks: 3", "# created: 2024-05-02T10:15:00Z",
        ]
      ),
    ] as [(TextFact?, [String])])
  func facts(fact: TextFact?, lines: [String]) throws {
    for line in lines { #expect(try self.fact(line) == fact, "\(line)") }
  }

  @Test(
    "our own comments must have the exact form; a UID that is not one or of an ambiguous order is an error anywhere",
    arguments: [
      ("# uid: none ", "uid", "none"), ("# patch-info: DF ", "patch-info", "DF"),
      ("# missing-blocks: x ", "missing-blocks", "x"),
      ("# read-at: 2024-05-02T10:15:00 ", "read-at", "2024-05-02T10:15:00"),
      ("10:15 sensor uid: 01 02 03 04 05 06 07 08", "uid", "0102030405060708"),
      ("sensor uid: E0 67 45 23 00 A0 07 E0", "uid", "E067452300A007E0"),
    ])
  func bad(line: String, key: String, value: String) {
    #expect(throws: DumpError.badHeader(line: 7, key: key, value: value)) { try fact(line) }
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
