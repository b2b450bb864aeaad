// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import DumpFormats

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
