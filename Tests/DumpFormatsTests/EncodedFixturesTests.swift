// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import DumpFormats

struct EncodedFixturesTests {
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
}

@Suite("Lines of a dump file")
struct DumpFileTests {
  @Test("a file larger than any dump has no lines")
  func tooLarge() {
    #expect(throws: DumpError.isBinary) {
      try DumpFile(Array(repeating: 0x41, count: DumpFile.sizeLimit + 1)).lines()
    }
    #expect(throws: DumpError.empty) { try DumpFile([]).lines() }
  }
}
