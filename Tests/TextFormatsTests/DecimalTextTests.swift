// SPDX-License-Identifier: Apache-2.0
import Foundation
import Libre1Core
import TestSupport
import Testing
import TextFormats

struct DecimalTextTests {
  @Test("never writes a negative zero")
  func negativeZero() {
    for value in [-0.0, -0.001, -0.004_9] {
      #expect(DecimalText.fixed(value, places: 2) == "0.00")
      #expect(DecimalText.shortest(value, places: 2) == "0")
    }
    #expect(DecimalText.fixed(-0.4, places: 0) == "0")
  }

  @Test("rounds halves away from zero")
  func halves() {
    // All of these are exact in binary.
    #expect(DecimalText.fixed(0.5, places: 0) == "1")
    #expect(DecimalText.fixed(1.5, places: 0) == "2")
    #expect(DecimalText.fixed(2.5, places: 0) == "3")
    #expect(DecimalText.fixed(-2.5, places: 0) == "-3")
    #expect(DecimalText.fixed(0.125, places: 2) == "0.13")
    #expect(DecimalText.fixed(-0.375, places: 2) == "-0.38")
  }

  @Test("writes the same as Foundation's formatting for random numbers")
  func foundation() {
    var random = SplitMix64(seed: 7)
    for _ in 0..<TestTier.rounds(5_000, full: 20_000) {
      let places = random.number(0...6)
      let size = Double(random.number(1...7))
      let value = (Double(random.number(-1_000_000...1_000_000)) + random.fraction(at: 0)) / pow(10, size)
      let scaled = abs(value) * pow(10, Double(places))
      // Where the number is almost half-way, the nearest binary number decides, not the rounding rule.
      guard abs(scaled - scaled.rounded(.down) - 0.5) > 1e-6 else { continue }
      var expected = String(format: "%.\(places)f", value)
      if expected.allSatisfy({ "-0.".contains($0) }) { expected = expected.replacingOccurrences(of: "-", with: "") }
      #expect(DecimalText.fixed(value, places: places) == expected, "\(value)")
    }
  }

  @Test(
    "never changes the value of a number, however large it is, and writes no exponents",
    arguments: [1e15, 1e16, 1.5e16, 1e18, 9.3e18, 1.5e20, 1.2e100, 1.5e300, 2.5e-300, 1.797_693_134_862_315_7e308])
  func huge(value: Double) {
    var wrong: Set<String> = []
    for number in [value, -value] {
      for places in [0, 2, 4, 12] {
        let tolerance = max(0.5 * pow(10, -Double(places)), value * 1e-15)
        for text in [DecimalText.shortest(number, places: places), DecimalText.fixed(number, places: places)] {
          if Double(text).map({ abs($0 - number) <= tolerance }) != true || text.contains("e") { wrong.insert(text) }
        }
      }
    }
    #expect(wrong.isEmpty)
  }

  @Test(
    "percentages are whole, but 0 only for nothing and 100 only for everything",
    arguments: [
      (0.0, "0 %"), (0.01, "<1 %"), (0.99, "<1 %"), (1, "1 %"), (1.5, "2 %"), (70.4, "70 %"), (99, "99 %"),
      (99.01, ">99 %"), (100, "100 %"),
    ])
  func percentages(value: Double, expected: String) { #expect(PercentText.whole(value) == expected) }
}
