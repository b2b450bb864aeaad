// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import DumpFormats

struct ProxmarkEMLDumpTests {
  private let format = ProxmarkEMLDump()

  @Test("reads blocks of four bytes")
  func four() throws {
    #expect(try format.onlyDump(in: "01020304\n05060708\n").image.bytes == Array(1...8))
  }

  @Test("reports the line of an invalid block, or of a block with another size")
  func damage() {
    for line in [
      "01020304", "010203040506070G", "0102030405060708 ff", "01 02 03 04 05 06 07 08", "01020304050607080910",
    ] {
      #expect(throws: DumpError.badLine(line: 3, expected: "a block of 16 hex digits"), "\(line)") {
        try format.onlyDump(in: "# note\n0102030405060708\n\(line)\n")
      }
    }
    #expect(throws: DumpError.badLine(line: 2, expected: "a block of 8 hex digits")) {
      try format.onlyDump(in: "01020304\n0102030405060708")
    }
    #expect(throws: DumpError.badHeader(line: 1, key: "uid", value: "1234")) {
      try format.onlyDump(in: "# uid: 1234\n0102030405060708")
    }
    #expect(throws: DumpError.wrongLength(found: 1_960)) {
      try format.onlyDump(in: String(repeating: "0102030405060708\n", count: 245))
    }
  }

  @Test("writes one block on each line below the comments")
  func written() throws {
    let image = MemoryImage(
      bytes: Array(1...8) + [0xF0, 1, 2, 3, 4, 5, 6, 0xFF], uid: TextFixture.uid,
      patchInfo: PatchInfo([0xDF, 0, 0, 1, 1, 0]), readAt: Instant(secondsSince1970: 0))
    let text = """
      # uid: E007A00001234567
      # patch-info: DF0000010100
      # read-at: 1970-01-01T00:00:00Z
      0102030405060708
      F0010203040506FF

      """
    #expect(String(decoding: try format.file(of: image), as: UTF8.self) == text)
    #expect(format.losses(of: image).isEmpty)
  }
}
