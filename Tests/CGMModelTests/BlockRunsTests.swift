// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

struct BlockRunsTests {
  @Test("neighbouring blocks make one run, in any order and even if repeated")
  func runs() {
    #expect(BlockRuns.runs(of: []) == [])
    #expect(BlockRuns.runs(of: [7]) == [7..<8])
    #expect(BlockRuns.runs(of: [42, 3, 40, 41, 3, 0]) == [0..<1, 3..<4, 40..<43])
    #expect(BlockRuns.runs(of: 0..<256) == [0..<256])
  }
}
