// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import DumpFormats

struct FlipperDumpTests {
  private let format = FlipperDump()
  private static let whole = MemoryImage(bytes: TextFixture.memory, uid: TextFixture.uid)

  /// The file as the firmware writes it, key by key.
  private static let lines = [
    "Filetype: Flipper NFC device", "Version: 4", "# Any comment: 01 = locked, valid range = 1..256",
    "Device type: ISO15693-3", "UID: E0 07 A0 00 01 23 45 67", "# ISO15693-3", "DSFID: 00", "AFI: 00",
    "IC Reference: 00", "Lock DSFID: false", "Lock AFI: false", "Block Count: 43", "Block Size: 08",
    "Data Content: \(TextFixture.hex(TextFixture.memory))",
    "Security Status: \(TextFixture.hex([UInt8](repeating: 0, count: 43)))",
  ]

  private func text(_ lines: [String] = lines) -> String { lines.map { $0 + "\n" }.joined() }

  /// The file with the line of a key replaced, or removed if nil.
  private func text(_ key: String, _ value: String?) -> String {
    text(
      Self.lines.compactMap { line in
        line.hasPrefix("\(key):") ? value.map { "\(key): \($0)" } : line
      })
  }

  @Test("reads a file of the firmware")
  func current() throws {
    #expect(try format.onlyDump(in: text()) == Dump(image: Self.whole))
  }

  @Test("reads keys in any order, with CR LF, and with every line twice")
  func anyOrder() throws {
    #expect(try format.onlyDump(in: text([Self.lines[0]] + Self.lines.dropFirst().reversed())).image == Self.whole)
    #expect(try format.onlyDump(in: Self.lines.joined(separator: "\r\n")).image == Self.whole)
    #expect(try format.onlyDump(in: text(Self.lines.flatMap { [$0, $0] })).image == Self.whole)
  }

  @Test(
    "reads old files and other tag types, and requires only the keys that locate the bytes",
    arguments: ["ISO15693", "SLIX", "ISO15693-3 (Unknown)"])
  func otherTypes(type: String) throws {
    let lines = Self.lines.filter {
      $0.hasPrefix("Filetype") || $0.hasPrefix("Block") || $0.hasPrefix("UID") || $0.hasPrefix("Data")
    }
    #expect(
      try format.onlyDump(in: text(lines + ["Device type: \(type)", "Password Read: 00 00 00 00"])).image == Self.whole)
  }

  @Test("counts blocks in decimal and their bytes in hex")
  func numbers() throws {
    let bytes = (0..<160 as Range<UInt8>).map { $0 }
    let lines = [
      Self.lines[0], Self.lines[4], "Block Count: 10", "Block Size: 10", "Data Content: \(TextFixture.hex(bytes))",
    ]
    #expect(try format.onlyDump(in: text(lines)).image.bytes == bytes)
  }

  @Test("reads our own comments, but the UID key of the file takes precedence")
  func comments() throws {
    let own = [
      "# uid: E007A0000025905E", "# patch-info: DF0000000000", "# read-at: 2024-05-02T10:15:00Z", "# missing-blocks: 3",
    ]
    let image = try format.onlyDump(in: text(Self.lines + own)).image
    #expect(image.uid == TextFixture.uid)
    #expect(image.patchInfo?.description == "DF0000000000")
    #expect(image.readAt?.rfc3339 == "2024-05-02T10:15:00Z")
    #expect(image.missingBlocks == [3])
  }

  @Test("reports the missing key", arguments: ["UID", "Block Count", "Block Size", "Data Content"])
  func missing(key: String) {
    #expect(throws: DumpError.badField(key, value: nil)) { try format.onlyDump(in: text(key, nil)) }
  }

  @Test("reports the line of an invalid value")
  func wrong() {
    let headers = [
      ("UID", "E0 07 A0", 5), ("UID", "01 02 03 04 05 06 07 08", 5), ("UID", "", 5), ("Block Count", "0", 12),
      ("Block Count", "2B", 12), ("Block Count", "99999999999999999999", 12), ("Block Size", "00", 13),
      ("Block Size", "08 08", 13),
    ]
    for (key, value, line) in headers {
      #expect(throws: DumpError.badHeader(line: line, key: key, value: value), "\(key): \(value)") {
        try format.onlyDump(in: text(key, value))
      }
    }
    #expect(throws: DumpError.badLine(line: 14, expected: "bytes of two hex digits each")) {
      try format.onlyDump(in: text("Data Content", "01 02 3"))
    }
    #expect(throws: DumpError.badHeader(line: 16, key: "Block Count", value: "44")) {
      try format.onlyDump(in: text(Self.lines + ["Block Count: 44"]))
    }
  }

  @Test(
    "refuses data whose length differs from count times size",
    arguments: [
      ("Block Count", "42", 42, 8), ("Block Count", "44", 44, 8), ("Block Count", "999999", 999_999, 8),
      ("Block Size", "04", 43, 4), ("Block Size", "FFFFFF", 43, 0xFF_FFFF),
    ])
  func disagreement(key: String, value: String, count: Int, size: Int) {
    let expected = "\(count) blocks of \(size) bytes, as Block Count and Block Size say"
    #expect(throws: DumpError.badLine(line: 14, expected: expected)) { try format.onlyDump(in: text(key, value)) }
  }

  @Test("refuses impossible memory lengths, other files of the device, and text without the signature")
  func others() {
    let large = [UInt8](repeating: 1, count: 1_953)
    let lines = [
      Self.lines[0], Self.lines[4], "Block Count: 1953", "Block Size: 01", "Data Content: \(TextFixture.hex(large))",
    ]
    #expect(throws: DumpError.wrongLength(found: 1_953)) { try format.onlyDump(in: text(lines)) }
    #expect(throws: DumpError.notThisFormat(lacks: "a line `Filetype: Flipper NFC device`")) {
      try format.onlyDump(in: text("Filetype", nil))
    }
    #expect(throws: DumpError.notThisFormat(lacks: "a line `Filetype: Flipper NFC device`")) {
      try format.onlyDump(in: text("Filetype", "Flipper SubGhz Key File"))
    }
  }

  @Test("writes the keys in the firmware's order, and other known facts as comments")
  func written() throws {
    let image = MemoryImage(
      bytes: Array(1...8) + [0xF0, 1, 2, 3, 4, 5, 6, 0xFF], uid: TextFixture.uid,
      patchInfo: PatchInfo([0xDF, 0, 0, 1, 1, 0]), readAt: Instant(secondsSince1970: 0))
    let text = """
      Filetype: Flipper NFC device
      Version: 4
      Device type: ISO15693-3
      UID: E0 07 A0 00 01 23 45 67
      # patch-info: DF0000010100
      # read-at: 1970-01-01T00:00:00Z
      Lock DSFID: false
      Lock AFI: false
      Block Count: 2
      Block Size: 08
      Data Content: 01 02 03 04 05 06 07 08 F0 01 02 03 04 05 06 FF
      Security Status: 00 00

      """
    #expect(String(decoding: try format.file(of: image), as: UTF8.self) == text)
    #expect(format.losses(of: image).isEmpty)
  }
}
