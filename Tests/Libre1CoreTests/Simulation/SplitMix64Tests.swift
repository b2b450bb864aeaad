// SPDX-License-Identifier: Apache-2.0
import Libre1Core
import Testing

struct SplitMix64Tests {
  @Test("seed 1234567 gives the published numbers")
  func publishedNumbers() {
    var generator = SplitMix64(seed: 1_234_567)
    let numbers = (0..<5).map { _ in generator.next() }
    #expect(
      numbers == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423, 4_593_380_528_125_082_431,
        16_408_922_859_458_223_821,
      ])
  }

  @Test("a number computed by its index equals the one drawn in sequence")
  func lookUp() {
    let start = SplitMix64(seed: 7)
    var drawing = start
    for index in 0..<100 { #expect(start.word(at: index) == drawing.next()) }
  }

  @Test("an integer stays in its range and reaches both limits")
  func range() {
    let generator = SplitMix64(seed: 8)
    let numbers = Set((0..<1_000).map { generator.integer(in: -3...3, at: $0) })
    #expect(numbers == Set(-3...3))
    #expect((0..<1_000).allSatisfy { (0..<1).contains(generator.fraction(at: $0)) })
  }
}
