// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import DumpFormats

struct EncodedFixturesTests {
  @Test("reads the output of the other program", arguments: TextFixture.encoded)
  func whole(fixture: TextFixture) throws {
    #expect(try fixture.format.image(fixture.text) == fixture.image)
  }

  @Test("is detected by its content among the other formats", arguments: TextFixture.encoded)
  func detected(fixture: TextFixture) throws {
    let detector = DumpDetector(
      formats: TextFixture.encoded.map(\.format) + [MiaoMiaoDump(), BubbleDump(), HexDump(), RawDump()])
    let (image, format) = try detector.parse(Array(fixture.text.utf8))
    #expect(image == fixture.image)
    #expect(format == fixture.format.name)
  }

  @Test("is not mistaken for any other format", arguments: TextFixture.encoded)
  func apart(fixture: TextFixture) {
    for other in TextFixture.encoded.map(\.format) + [MiaoMiaoDump(), BubbleDump()]
    where other.name != fixture.format.name {
      #expect(throws: DumpError.self, "\(other.name)") { try other.results(fixture.text) }
    }
  }

  @Test(
    "does not claim prose, a table of numbers, a web page or other JSON",
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

  @Test("text formats do not claim binary data", arguments: TextFixture.encoded)
  func binary(fixture: TextFixture) {
    #expect(throws: DumpError.isBinary) { try fixture.format.results(TextFixture.memory) }
    #expect(throws: DumpError.empty) { try fixture.format.results([]) }
  }
}
