// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

struct BlockSetTests {
  @Test("members come in order, once each; numbers outside 0…63 are never among them")
  func members() {
    let blocks = BlockSet([42, 0, -1, 64, 7, 243, Int.max, Int.min, 63, 42])
    #expect(blocks.members == [0, 7, 42, 63] && !blocks.isEmpty && BlockSet().isEmpty)
    for number in [-1, 8, 64, Int.min] { #expect(!blocks.contains(number), "\(number)") }
    #expect(blocks.contains(7))
  }

  @Test("the intersection with a range is returned, also if the range is larger")
  func intersection() {
    let blocks = BlockSet([2, 3, 39, 40])
    #expect(blocks.intersection(3..<40).members == [3, 39])
    #expect(blocks.intersection(-5..<100) == blocks)
    #expect(blocks.intersection(10..<10).isEmpty)
  }

  @Test("neighbouring blocks make one run, in any order and even if repeated")
  func runs() {
    #expect(BlockRuns.runs(of: []) == [])
    #expect(BlockRuns.runs(of: [7]) == [7..<8])
    #expect(BlockRuns.runs(of: [42, 3, 40, 41, 3, 0]) == [0..<1, 3..<4, 40..<43])
    #expect(BlockRuns.runs(of: 0..<256) == [0..<256])
  }
}
