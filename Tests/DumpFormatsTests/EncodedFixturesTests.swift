// SPDX-License-Identifier: Apache-2.0
import CGMModel
import DumpFormats
import Testing

struct EncodedFixturesTests {
  @Test("reads what the other program writes", arguments: TextFixture.encoded)
  func whole(fixture: TextFixture) throws {
    #expect(try fixture.format.image(fixture.text) == fixture.image)
  }

  @Test("is found by its content among the others", arguments: TextFixture.encoded)
  func detected(fixture: TextFixture) throws {
    let detector = DumpDetector(
      formats: TextFixture.encoded.map(\.format) + [MiaoMiaoDump(), BubbleDump(), HexDump(), RawDump()])
    let (image, format) = try detector.parse(Array(fixture.text.utf8))
    #expect(image == fixture.image)
    #expect(format == fixture.format.name)
  }

  @Test("is not taken for any of the others", arguments: TextFixture.encoded)
  func apart(fixture: TextFixture) {
    for other in TextFixture.encoded.map(\.format) + [MiaoMiaoDump(), BubbleDump()]
    where other.name != fixture.format.name {
      #expect(throws: DumpError.self, "\(other.name)") { try other.results(fixture.text) }
    }
  }

  @Test(
    "prose, a table of numbers, a web page and other JSON are none of them",
    arguments: [
      "This is a letter about a sensor and nothing else at all in it\n", "glucose,time\n104,2024-05-02\n", "1 2",
      "<meta name=\"viewport\" content=\"width=device-width\">\n", "{\"data\":{\"bytes\":[1,2,3]}}", "[]", "{}",
    ])
  func others(text: String) {
    for format in TextFixture.encoded.map(\.format) + [MiaoMiaoDump(), BubbleDump()] {
      #expect("\(format.name)") { try format.results(text) } throws: { error in
        if case DumpError.notThisFormat = error { true } else { false }
      }
    }
  }

  @Test("bytes that are no text are no text format's", arguments: TextFixture.encoded)
  func binary(fixture: TextFixture) {
    #expect(throws: DumpError.isBinary) { try fixture.format.results(TextFixture.memory) }
    #expect(throws: DumpError.empty) { try fixture.format.results([]) }
  }
}
