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

  @Test(
    "reads a file of the firmware, also with keys in any order, with CR LF, with every line twice, and of other tags")
  func anyOrder() throws {
    #expect(try format.onlyDump(in: text()) == Dump(image: Self.whole))
    #expect(try format.onlyImage(in: text([Self.lines[0]] + Self.lines.dropFirst().reversed())) == Self.whole)
    #expect(try format.onlyImage(in: Self.lines.joined(separator: "\r\n")) == Self.whole)
    #expect(try format.onlyImage(in: text(Self.lines.flatMap { [$0, $0] })) == Self.whole)
    // Only the keys that locate the bytes are required, as in old files.
    let lines = [0, 4, 11, 12, 13].map { Self.lines[$0] }
    for type in ["ISO15693", "SLIX", "ISO15693-3 (Unknown)"] {
      let other = text(lines + ["Device type: \(type)", "Password Read: 00 00 00 00"])
      #expect(try format.onlyDump(in: other).image == Self.whole)
    }
    // Blocks are counted in decimal, and their bytes in hex.
    let bytes = [UInt8](0..<160)
    let content = ["Block Count: 10", "Block Size: 10", "Data Content: \(TextFixture.hex(bytes))"]
    #expect(try format.onlyDump(in: text(lines[..<2] + content)).image.bytes == bytes)
  }

  @Test("reads our own comments, but the UID key of the file takes precedence")
  func comments() throws {
    let own = [
      "# uid: E007A0000025905E", "# patch-info: DF0000000000", "# read-at: 2024-05-02T10:15:00Z", "# missing-blocks: 3",
    ]
    let image = try format.onlyImage(in: text(Self.lines + own))
    #expect(image.uid == TextFixture.uid && image.patchInfo == PatchInfo([0xDF, 0, 0, 0, 0, 0]))
    #expect(image.readAt == Instant(secondsSince1970: 1_714_644_900) && image.missingBlocks == [3])
  }

  @Test("reports the missing key, the line of an invalid value, and data whose length differs from count times size")
  func wrong() {
    for (key, value, line) in [
      ("UID", "E0 07 A0", 5), ("UID", "01 02 03 04 05 06 07 08", 5), ("UID", "", 5), ("Block Count", "0", 12),
      ("Block Count", "2B", 12), ("Block Count", "99999999999999999999", 12), ("Block Size", "00", 13),
      ("Block Size", "08 08", 13),
    ] {
      #expect(format.refusal(of: text(key, value)) == .badHeader(line: line, key: key, value: value))
    }
    for (key, value, count, size) in [
      ("Block Count", "42", 42, 8), ("Block Count", "44", 44, 8), ("Block Count", "999999", 999_999, 8),
      ("Block Size", "04", 43, 4), ("Block Size", "FFFFFF", 43, 0xFF_FFFF),
    ] {
      let expected = "\(count) blocks of \(size) bytes, as Block Count and Block Size say"
      #expect(format.refusal(of: text(key, value)) == .badLine(line: 14, expected: expected))
    }
    for key in ["UID", "Block Count", "Block Size", "Data Content"] {
      #expect(format.refusal(of: text(key, nil)) == .badField(key, value: nil))
    }
    let large = "Data Content: \(TextFixture.hex([UInt8](repeating: 1, count: 1_953)))"
    for (text, error) in [
      (text("Data Content", "01 02 3"), .badLine(line: 14, expected: "bytes of two hex digits each")),
      (text(Self.lines + ["Block Count: 44"]), .badHeader(line: 16, key: "Block Count", value: "44")),
      (text([Self.lines[0], Self.lines[4], "Block Count: 1953", "Block Size: 01", large]), .wrongLength(found: 1_953)),
      (text("Filetype", nil), .notThisFormat(lacks: "a line `Filetype: Flipper NFC device`")),
      (
        text("Filetype", "Flipper SubGhz Key File"), .notThisFormat(lacks: "a line `Filetype: Flipper NFC device`")
      ),
    ] as [(String, DumpError)] {
      #expect(format.refusal(of: text) == error)
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
