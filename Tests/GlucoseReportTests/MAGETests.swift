// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import GlucoseReport

/// Mean amplitude of glycaemic excursions, by hand. iglu-python 0.4.3 gave the same for these values, except where a
/// test says that it differs.
struct MAGETests {
  /// Levels in mg/dL, each for so many quarters of an hour from 00:15 on; nil is a gap.
  private func mage(_ levels: [(Double?, Int)]) -> Double? {
    var points: [GlucosePoint] = []
    var minutes = 15
    for (level, count) in levels {
      for _ in 0..<count {
        if let level {
          points += ReportClocks.points("2024-05-02T00:00:00Z", [level]).map {
            GlucosePoint(time: $0.time.adding(minutes: minutes), concentration: $0.concentration)
          }
        }
        minutes += 15
      }
    }
    return MAGE.value(UniformGrid(points, minutes: 5, clock: ReportClocks.utc))
  }

  @Test("a rise by 100 mg/dL and the following fall give 100")
  func riseAndFall() { #expect(mage([(100, 2), (200, 12), (100, 12)]) == 100) }

  @Test("a change smaller than the SD is part of the excursion that it interrupts")
  func small() { #expect(mage([(100, 2), (200, 10), (190, 6), (205, 10), (100, 12)]) == 105) }

  @Test("rises and falls have separate means, which have equal weight")
  func unlike() {
    // Rises by 100 and 60, a fall by 100: the mean of 80 and 100.
    #expect(mage([(100, 2), (200, 12), (100, 12), (160, 12)]) == 90)
  }

  @Test("a gap of more than three hours splits the values into pieces, which are weighted by length")
  func pieces() throws {
    // 375 minutes with 100, then 735 with 60.
    let value = try #require(
      mage([(100, 2), (200, 12), (100, 12), (nil, 16), (120, 2), (180, 24), (120, 24)]))
    #expect(abs(value - (375.0 * 100 + 735 * 60) / 1_110) < 1e-9)
  }

  @Test("a shorter gap does not split the values")
  func shortGap() { #expect(mage([(100, 2), (200, 12), (100, 12), (nil, 10), (200, 12)]) == 100) }

  @Test("a peak after hours of equal values counts, although iglu-python finds no excursion there")
  func flatStart() { #expect(mage([(100, 12), (200, 12), (100, 12)]) == 100) }

  @Test("few values, and values that differ by less than 1 mg/dL, have no MAGE")
  func none() {
    #expect(mage([]) == nil)
    #expect(mage([(100, 1), (200, 1)]) == nil)
    #expect(mage([(100, 12), (101, 12)]) == nil)
  }
}
