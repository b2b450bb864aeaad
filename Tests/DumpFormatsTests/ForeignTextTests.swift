// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import DumpFormats

/// Texts that are near to a format, but of another program or of none.
struct ForeignTextTests {
  private static let diableRow = "#00  22 48 00 00 03 00 00 00  \"H......"
  private static let bareRow = "22 48 00 00 03 00 00 00"
  private static let consoleRow = "[=]    0 | 22 48 00 00 03 00 00 00 | 0 | \"H......"
  private static let sketchRow = "The block #0:22 48 0 0 3 0 0 0"
  private static let hex = TextFixture.hex(TextFixture.memory, separator: "")
  private static let base64 = TextFixture.base64(TextFixture.memory)

  /// A format, and texts that it must not take for its own.
  private static let nearTexts: [(format: any DumpFormat, texts: [String])] = [
    (
      BlockListDump(),
      [
        "Block 00   F4 18 B0 32 03 01 02 08    ...2....", sketchRow, "Block 1: 0xD2 0x91 0x03",
        "Block 1: 0xD2 0x91 0x03 0x00 0x03 0x00 0x00 0x00 0x00", "Block one: 0xD2 0x91 0x03 0x00 0x03 0x00 0x00 0x00",
        "Block 1: 0xD2 91 0x03 0x00 0x03 0x00 0x00 0x00",
      ]
    ),
    (
      DiaBLEDump(),
      [
        "\(bareRow)\n00 00 00 00 00 00 00 00", "\(bareRow)  //  0", "\(bareRow)  \"H....", "\(bareRow)  \"H.......",
        "\(bareRow)   \"H......", "22 48 00 00 03 00 00  \"H.....", "Block 00   \(bareRow)    \"H......", sketchRow,
        "# Memory content:\n\(bareRow)", "UID: 67 45 23 01 00 A0 07 E0", "hello", "#00",
        "00000000  \(bareRow)  00 00 00 00 00 00 00 00  |\"H..............|",
      ]
    ),
    (
      DecimalDump(),
      [
        "1, 2", "0A 1B FF", "2248 0000 0300", "0x10, 0x20, 0x30", "1.5, 2, 3", "1, --2, 3", "1, 2-, 3", "1 - 2 3",
      ]
    ),
    (
      LibreMonitorDump(),
      [
        bareRow, diableRow, "22 48 00 00 03 00 00  // 0", "\(bareRow)  // zero", "\(bareRow) 00 // 0x",
        "22 48 0 0 3 0 0 0 // 0", consoleRow, "00 | \(bareRow)", "| 00 | \(bareRow) 00", "block 0:22 48 0 0 3 0 0 0",
        "see https://example.org // 0",
      ]
    ),
    (
      OldProxmarkDump(),
      [
        bareRow, diableRow, "Block 00   09 08 73 C5    ..s.", "Block 00   \(bareRow) 00", "Block 0: \(bareRow)",
        "Block 00   00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00    ................", sketchRow,
        "Block xx   \(bareRow)", "Block",
      ]
    ),
    (
      ProxmarkConsoleDump(),
      [
        "01 02 03 04", "[=] Using scan mode\n[+] Done", "[=] key | value\n[=] --- | ---\n[=]  1 | yes | no", "[=] |",
        "[=",
      ]
    ),
    (ProxmarkEMLDump(), ["01 02 03 04 05 06 07 08", "010203040506070809", "# nothing", "prose", "\n"]),
    (
      TagInfoDump(),
      [
        bareRow, "[42] \(bareRow)  // 0", consoleRow, "[00] . 04:89:BB BE (UID0-UID2, BCC0)", "[00] .",
        "[0000000] . 01 02", "[00] note 01 02", "[42] * 43 blocks, with 8 bytes per block", "[",
        "<?xml version=\"1.0\"?><a/>",
      ]
    ),
    (XxdDump(), listings), (HexdumpDump(), listings),
    (LibreAlarmDump(), ["{\"raw_data\":[1,2,3]}", "{\"data\":[1,2,3]}"]),
    (LibreWifiDump(), ["{\"reply_version\":2,\"BlockBytesX\":\"\"}"]),
    (
      OOPRequestDump(),
      // Content alone, which any web page may have.
      ["accesstoken=secret&uuid=1", "content=\(hex)", "contents=\(base64)&a=b", "b64contents", "a=1&content"]
    ),
  ]
  private static let listings = [
    bareRow, diableRow, "f868  22 48 00 00 03 00 00 00  \"H......", "1714645080: \(bareRow)", "00000158", "*",
    "3acf1016\n03000000", "00000000: x", "0000000 48 22",
  ]
  /// Prose, a table of numbers, a web page and other JSON, which no format that encodes the whole memory claims.
  private static let others = [
    "This is a letter about a sensor and nothing else at all in it\n", "glucose,time\n104,2024-05-02\n", "1 2",
    "<meta name=\"viewport\" content=\"width=device-width\">\n", "{\"data\":{\"bytes\":[1,2,3]}}", "[]", "{}",
  ]
  private static let encoding: [any DumpFormat] =
    TextFixture.encoded.map(\.format) + [MiaoMiaoDump(), BubbleDump()]

  private static let cases: [(format: any DumpFormat, text: String)] =
    nearTexts.flatMap { format, texts in texts.map { (format, $0) } }
    + encoding.flatMap { format in others.map { (format, $0) } }

  @Test("a format claims no text of another program, and says what the text lacks", arguments: cases.indices)
  func foreign(index: Int) {
    let (format, text) = Self.cases[index]
    #expect("\(format.name): \(text)") {
      try format.results(text)
    } throws: { error in
      if case DumpError.notThisFormat(let words) = error { !words.isEmpty } else { false }
    }
  }
}
