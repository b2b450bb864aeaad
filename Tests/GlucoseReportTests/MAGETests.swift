// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import GlucoseReport

/// What the figures of `IgluTests` do not hold of the mean amplitude of glycaemic excursions.
struct MAGETests {
  /// Levels in mg/dL, each for so many quarters of an hour.
  private func mage(_ levels: [(Double, Int)]) -> Double? {
    let values = levels.flatMap { [Double](repeating: $0.0, count: $0.1) }
    let points = ReportClocks.points("2024-05-02T00:15:00Z", values)
    return MAGE.value(UniformGrid(points, minutes: 5, clock: ReportClocks.utc))
  }

  @Test("a peak after hours of equal values counts, although iglu-python finds no excursion there")
  func flatStart() { #expect(mage([(100, 12), (200, 12), (100, 12)]) == 100) }

  @Test("few values, and values that differ by less than 1 mg/dL, have no MAGE")
  func none() {
    #expect(mage([]) == nil)
    #expect(mage([(100, 1), (200, 1)]) == nil)
    #expect(mage([(100, 12), (101, 12)]) == nil)
  }
}
