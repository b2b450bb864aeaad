// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation

@testable import DumpFormats

/// Texts of the formats that encode the complete memory, as their programs write them.
extension TextFixture {
  static let patchInfo: [UInt8] = [0xDF, 0x00, 0x00, 0x01, 0x01, 0x00]
  /// 2024-05-02T10:18:00Z
  static let scanned = Instant(secondsSince1970: 1_714_645_080)
  /// The UID in the order in which the tag sends it, lowest byte first, in base64.
  static let uidInBase64 = "Z0UjAQCgB+A="

  static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

  /// As Java prints bytes.
  static func signed(_ bytes: [UInt8]) -> [String] { bytes.map { "\($0 < 128 ? Int($0) : Int($0) - 256)" } }

  static let base64Text = TextFixture(
    Base64Dump(), head: ["# uid: \(hex(uidBytes, separator: ""))"],
    blocks: stride(from: 0, to: memory.count, by: 24).map { base64(Array(memory[$0..<min($0 + 24, memory.count)])) },
    numbersBlocks: false, takesPrefix: false, image: imageWithUID)

  static let decimalText = TextFixture(
    DecimalDump(), head: ["["], blocks: memoryBlocks.map { signed($0).joined(separator: ", ") + "," }, tail: ["]"],
    numbersBlocks: false, takesPrefix: false)

  static let oopRequest = TextFixture(
    OOPRequestDump(),
    blocks: [
      "POST https://www.glucose.space/libreoop2?accesstoken=secret&patchUid=6745230100a007e0&patchInfo=df0000010100"
        + "&timestamp=1714645080000&content=\(hex(memory, separator: "", upper: false)) HTTP/1.1"
    ],
    numbersBlocks: false,
    image: MemoryImage(bytes: memory, uid: uid, patchInfo: PatchInfo(patchInfo), readAt: scanned))

  static let libreWifi = TextFixture(
    LibreWifiDump(),
    head: [
      "{", "  \"reply_version\": 2,", "  \"max_protocol_version\": 2,", "  \"last_reading\": 1714645080000,",
      "  \"debug_message\": \"\",", "  \"device_type\": \"tomato\",", "  \"libre_wifi_data\": [", "    {",
    ],
    blocks: ["      \"BlockBytes\": \"\(base64(memory))\","],
    tail: [
      "      \"CaptureDateTime\": 1714645080000,", "      \"RelativeTime\": 0,", "      \"ChecksumOk\": 1,",
      "      \"patchUid\": \"\(uidInBase64)\",", "      \"patchInfo\": \"3wAAAQEA\"", "    }", "  ]", "}",
    ],
    numbersBlocks: false, takesPrefix: false,
    image: MemoryImage(bytes: memory, uid: uid, patchInfo: PatchInfo(patchInfo), readAt: scanned))

  static let libreAlarm = TextFixture(
    LibreAlarmDump(),
    blocks: ["{\"id\":7,\"data\":{\"raw_data\":[\(signed(memory).joined(separator: ","))],\"trend\":[]}}"],
    numbersBlocks: false, takesPrefix: false)

  static let readingJSON = TextFixture(
    ReadingDump(),
    head: [
      "{", "  \"schema\": \"libre.reading/1\",", "  \"id\": null,", "  \"read_at\": \"2024-05-02T10:18:00Z\",",
      "  \"sensor\": {", "    \"uid\": \"E007A00001234567\",", "    \"serial\": \"0M00028U5DW\",",
      "    \"patch_info\": \"DF0000010100\"", "  },", "  \"memory\": {",
    ],
    blocks: ["    \"bytes\": \"\(hex(memory, separator: ""))\","],
    tail: ["    \"missing_blocks\": []", "  },", "  \"problems\": []", "}"],
    numbersBlocks: false, takesPrefix: false,
    image: MemoryImage(bytes: memory, uid: uid, patchInfo: PatchInfo(patchInfo), readAt: scanned))

  static let encoded = [base64Text, decimalText, oopRequest, libreWifi, libreAlarm, readingJSON]

  private static let uidBytes: [UInt8] = [0xE0, 0x07, 0xA0, 0x00, 0x01, 0x23, 0x45, 0x67]
}
