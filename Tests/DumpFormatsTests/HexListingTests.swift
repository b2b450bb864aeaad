// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import DumpFormats

@Suite("Output of xxd and hexdump -C") struct HexListingTests {
  private static let formats: [any DumpFormat] = [XxdDump(), HexdumpDump()]

  private func error(_ text: String, in format: any DumpFormat) -> DumpError? { format.refusal(of: text) }

  /// Rows of 16 zero bytes with these offsets, in the given format.
  private func text(_ offsets: [Int], _ format: any DumpFormat, of byte: String = "00") -> String {
    let isXxd = format.name == "xxd"
    return offsets.map { offset in
      let digits = String(offset, radix: 16)
      let bytes = Array(repeating: byte, count: 16).joined(separator: " ")
      return String(repeating: "0", count: 8 - digits.count) + digits + (isXxd ? ": " : "  ") + bytes
        + (isXxd ? "  ................" : "  |................|") + "\n"
    }.joined()
  }

  @Test("a line with * repeats the row before it, up to the next offset", arguments: formats)
  func repeated(format: any DumpFormat) throws {
    let text = text([0, 0x10], format, of: "07") + "*\n" + text([0x50], format)
    #expect(
      try format.onlyImage(in: text).bytes
        == Array(repeating: 7, count: 0x50) + Array(repeating: 0, count: 0x10))
  }

  @Test("a line with * before the last line of hexdump repeats to the end of the file, and the last row may be shorter")
  func repeatedToTheEnd() throws {
    for length in [0x28, 0x30, 0x158] {
      let text = text([0], HexdumpDump(), of: "07") + "*\n00000\(String(length + 0x1000, radix: 16).dropFirst())\n"
      #expect(try HexdumpDump().onlyImage(in: text).bytes == Array(repeating: 7, count: length))
    }
  }

  @Test("a gap and a wrong offset are reported with their line", arguments: formats)
  func gaps(format: any DumpFormat) {
    func wrong(_ line: Int, _ offset: String) -> DumpError {
      .badLine(line: line, expected: "offset \(offset), where the row before it ends")
    }
    #expect(error(text([0, 0x20], format), in: format) == wrong(2, "00000010"))
    #expect(error(text([0, 0x10, 0x10], format), in: format) == wrong(3, "00000020"))
    #expect(error(text([0xF860, 0xF870, 0x20], format), in: format) == wrong(3, "0000f880"))
    // An incomplete row cannot be repeated.
    #expect(error(text([0], format) + "*\n" + text([0x28], format), in: format) == wrong(3, "00000010"))
    #expect(error("*\n" + text([0, 0x20], format), in: format) == wrong(3, "00000010"))
    #expect(
      error(text([0], format) + "*\n", in: format)
        == .badLine(line: 2, expected: "a row after *, up to which the last row is repeated"))
    // A gap of four gigabytes is not filled.
    #expect(error(text([0], format) + "*\n" + text([0xFFFF_FFF0], format), in: format) == wrong(3, "00000010"))
  }

  @Test("invalid digits are reported with their line", arguments: formats, ["0x", "0", "000", "x"])
  func digits(format: any DumpFormat, bad: String) {
    let text = text([0, 0x10], format).replacing(/00000010(:| ) 00/) { "00000010\($0.1) \(bad)" }
    guard case .badLine(2, let expected) = error(text, in: format) else { return #expect(Bool(false), "\(bad)") }
    #expect(expected.hasPrefix("a row like `00000000"))
  }

  @Test("the listing is written in the format of these programs")
  func literal() throws {
    let image = MemoryImage(bytes: Array(0x20..<0x30) + Array(repeating: 0, count: 32) + Array(0x7A..<0x82))
    #expect(
      String(decoding: try XxdDump().file(of: image), as: UTF8.self) == """
        00000000: 2021 2223 2425 2627 2829 2a2b 2c2d 2e2f   !"#$%&'()*+,-./
        00000010: 0000 0000 0000 0000 0000 0000 0000 0000  ................
        00000020: 0000 0000 0000 0000 0000 0000 0000 0000  ................
        00000030: 7a7b 7c7d 7e7f 8081                      z{|}~...

        """)
    #expect(
      String(decoding: try HexdumpDump().file(of: image), as: UTF8.self) == """
        00000000  20 21 22 23 24 25 26 27  28 29 2a 2b 2c 2d 2e 2f  | !"#$%&'()*+,-./|
        00000010  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|
        *
        00000030  7a 7b 7c 7d 7e 7f 80 81                           |z{|}~...|
        00000038

        """)
  }

  @Test("a DiaBLE row is not an xxd row: its missing offsets must not be ignored")
  func diable() throws {
    var lines = TextFixture.xxdNarrow.blocks
    #expect(throws: DumpError.self) { try DiaBLEDump().allDumps(in: lines.joined(separator: "\n")) }
    lines.remove(at: 4)
    let file = DumpFile(Array(lines.joined(separator: "\n").utf8))
    let detector = DumpDetector(formats: [XxdDump(), DiaBLEDump(), HexDump(), RawDump()])
    #expect(throws: DumpError.badLine(line: 5, expected: "offset 0000f880, where the row before it ends")) {
      try detector.detect(file)
    }
  }
}
