// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import DumpFormats

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

  @Test("reads signed bytes as unsigned ones")
  func signed() throws {
    #expect(try DecimalDump().onlyImage(in: "[-1, -128, -49, 127]").bytes == [255, 128, 207, 127])
  }

  @Test("reads sensor facts from comments")
  func comments() throws {
    #expect(
      try DecimalDump().onlyImage(in: "# uid: E007A00001234567\n# missing-blocks: 0\n1, 2, 3")
        == MemoryImage(bytes: [1, 2, 3], missingBlocks: [0], uid: TextFixture.uid))
  }

  @Test("reports the line of the first number that does not fit in a byte, if the whole text is numbers")
  func range() {
    let expected = "numbers from -128 to 255"
    #expect(throws: DumpError.badLine(line: 2, expected: expected)) {
      try DecimalDump().onlyImage(in: "1, 2\n256, 3\n999")
    }
    #expect(throws: DumpError.badLine(line: 1, expected: expected)) { try DecimalDump().onlyImage(in: "1, 2, -129") }
    #expect(throws: DumpError.notThisFormat(lacks: "only decimal numbers")) {
      try DecimalDump().onlyImage(in: "999, 2\nand words")
    }
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
