// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import Libre1Core

struct FRAMTests {
  @Test("fewer than 344 bytes are refused", arguments: [0, 1, 176, 343])
  func tooShort(count: Int) {
    #expect(throws: MemoryError.wrongLength(found: count, needed: 344)) {
      try FRAM([UInt8](repeating: 1, count: count).span)
    }
  }

  @Test("only the first 344 of more bytes are used", arguments: [344, 352, 360, 1_952])
  func longEnough(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let fram = try FRAM(bytes.span, missingBlocks: BlockSet([42, 3, 100]))
    #expect((0..<344).map(fram.byte) == Array(bytes.prefix(344)))
    #expect(fram[343] == UInt8(truncatingIfNeeded: 343 * 7) && fram[344] == nil && fram[-1] == nil)
    #expect(fram.missingBlocks.members == [3, 42])
  }
}
