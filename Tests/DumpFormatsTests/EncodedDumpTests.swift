// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import DumpFormats

/// Promises that hold for every text of a complete memory in one piece.
struct EncodedDumpTests {
  @Test("is not mistaken for any other format", arguments: TextFixture.encoded)
  func apart(fixture: TextFixture) {
    for other in TextFixture.encoded.map(\.format) + [MiaoMiaoDump(), BubbleDump()]
    where other.name != fixture.format.name {
      #expect(throws: DumpError.self, "\(other.name)") { try other.results(fixture.text) }
    }
  }

  @Test("text formats do not claim binary data", arguments: TextFixture.all)
  func binary(fixture: TextFixture) {
    #expect(throws: DumpError.isBinary) { try fixture.format.results(TextFixture.memory) }
    #expect(throws: DumpError.empty) { try fixture.format.results([]) }
  }

  @Test("a file larger than any dump has no lines")
  func tooLarge() {
    #expect(throws: DumpError.isBinary) {
      try DumpFile(Array(repeating: 0x41, count: DumpFile.sizeLimit + 1)).lines()
    }
  }
}

struct Base64DumpTests {
  private let memory = TextFixture.memory
  private let text = TextFixture.base64(TextFixture.memory)

  @Test("reads one line, many lines, quotes and no padding")
  func spelling() throws {
    let lines = stride(from: 0, to: text.count, by: 64).map { text.dropFirst($0).prefix(64) }
    let spellings = [
      text, text + "\n", lines.joined(separator: "\r\n"), "\"\(text)\"", "'\(text)'\n",
      text.filter { $0 != "=" }, "  \(text)  ", "\n\n\(text)\n\n",
    ]
    for spelling in spellings { #expect(try Base64Dump().onlyImage(in: spelling) == MemoryImage(bytes: memory)) }
  }

  @Test("refuses an impossible length, and claims no long list of words, hex digits, short text or invalid base64")
  func refusals() {
    func ofBytes(_ count: Int) -> String { TextFixture.base64((0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }) }
    #expect(Base64Dump().refusal(of: ofBytes(345)) == .wrongLength(found: 345))
    for count in [1_953, 1_960, 100_000, 175] {
      #expect(Base64Dump().refusal(of: ofBytes(count)) == .notThisFormat(lacks: "base64 of a memory"), "\(count)")
    }
    let others = [
      TextFixture.hex(memory, separator: ""), TextFixture.hex(memory), String(repeating: "word list ", count: 60),
      text + "!", "x=" + text + ".", "AB=CD" + text, text + "A===A",
    ]
    for other in others {
      guard case .notThisFormat = Base64Dump().refusal(of: other) else { return #expect(Bool(false), "\(other)") }
    }
  }
}

struct DecimalDumpTests {
  @Test(
    "reads numbers in any brackets, with commas or spaces",
    arguments: [
      "[58, 207, 0]", "{58,207,0}", "(58 207 0)", "58 207 0", "58\n207\n0\n", "58;207;0;", "[ 58 ,\t207 ,\r\n 0 , ]",
      "[[58], [207], [0]]", "# array\n58, 207\n  # rest\n000",
    ])
  func spelling(text: String) throws {
    #expect(try DecimalDump().onlyImage(in: text).bytes == [58, 207, 0])
  }

  @Test("reads signed bytes as unsigned ones, and sensor facts from comments")
  func comments() throws {
    #expect(
      try DecimalDump().onlyImage(in: "# uid: E007A00001234567\n# missing-blocks: 0\n[-1, -128, -49, 127]")
        == MemoryImage(bytes: [255, 128, 207, 127], missingBlocks: [0], uid: TextFixture.uid))
  }

  @Test("reports the line of the first number that does not fit in a byte, if the whole text is numbers")
  func range() {
    for (text, line) in [("1, 2\n256, 3\n999", 2), ("1, 2, -129", 1)] {
      #expect(DecimalDump().refusal(of: text) == .badLine(line: line, expected: "numbers from -128 to 255"))
    }
    #expect(DecimalDump().refusal(of: "999, 2\nand words") == .notThisFormat(lacks: "only decimal numbers"))
  }

  @Test("numbers of two digits are also valid hex: the checksums decide")
  func twoDigits() throws {
    // 344 numbers from 10 to 99, so that the text is also valid hex; only one of the two readings has valid checksums.
    var decimal = [UInt8](repeating: 0, count: 344)
    for index in decimal.indices { decimal[index] = UInt8(10 + index % 90) }
    for region in MemoryBuilder.Region.allCases {
      Self.sealWithTwoDigits(&decimal, MemoryBuilder.Layout.libre1.range(of: region))
    }
    let text = decimal.map(String.init).joined(separator: " ")
    #expect(try HexDump().onlyImage(in: text).bytes.count == 344)
    let found = try DumpDetector(formats: [HexDump(), DecimalDump()]).parse(Array(text.utf8))
    #expect(found.format == "decimal")
    #expect(found.image.bytes == decimal)
  }

  /// Changes two bytes of the region until its checksum consists of two bytes from 10 to 99.
  private static func sealWithTwoDigits(_ bytes: inout [UInt8], _ region: Range<Int>) {
    for first in 10...99 as ClosedRange<UInt8> {
      for second in 10...99 as ClosedRange<UInt8> {
        (bytes[region.lowerBound + 2], bytes[region.lowerBound + 3]) = (first, second)
        bytes.seal(region)
        if (10...99).contains(bytes[region.lowerBound]), (10...99).contains(bytes[region.lowerBound + 1]) { return }
      }
    }
  }
}

struct LibreAlarmDumpTests {
  private func message(_ numbers: String) -> String {
    "{\"id\":1,\"data\":{\"raw_data\":[\(numbers)],\"history\":[{}]}}"
  }

  @Test("reads signed bytes")
  func signed() throws {
    #expect(try LibreAlarmDump().onlyImage(in: message("58,-49,0,-1,-128,127")).bytes == [58, 207, 0, 255, 128, 127])
  }

  @Test("reads an array of messages and one message on each line, and ignores failed readings")
  func several() throws {
    let messages = [message("1,2"), "{\"id\":2,\"data\":{\"trend\":[]}}", "{\"id\":3}", message("3,4")]
    for text in ["[" + messages.joined(separator: ",\n") + "]", messages.joined(separator: "\n")] {
      #expect(
        try LibreAlarmDump().results(text) == [
          .success(Dump(image: MemoryImage(bytes: [1, 2]), line: 1)),
          .success(Dump(image: MemoryImage(bytes: [3, 4]), line: 4)),
        ])
    }
  }

  @Test("reports a number that does not fit in a byte, and an impossible memory length")
  func failures() throws {
    let rows: [(numbers: String, error: DumpError)] = [
      ("1,2,256", .badField("data.raw_data[2]", value: "256")),
      ("1,-129", .badField("data.raw_data[1]", value: "-129")), ("", .noMemory),
      ("1,\"2\"", .badField("data.raw_data[1]", value: nil)),
      (Array(repeating: "1", count: 345).joined(separator: ","), .wrongLength(found: 345)),
    ]
    for (numbers, error) in rows { #expect(try LibreAlarmDump().results(message(numbers)) == [.failure(error)]) }
  }
}
