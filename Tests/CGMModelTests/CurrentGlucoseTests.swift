// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

struct CurrentGlucoseTests {
  @Test(
    "the arrow changes at exactly 1, 2 and 3 mg/dL per minute, rising and falling",
    arguments: [
      (0.0, "Flat"), (-0.0, "Flat"), (0.999_999, "Flat"), (-0.999_999, "Flat"),
      (1.0, "FortyFiveUp"), (-1.0, "FortyFiveDown"), (1.999_999, "FortyFiveUp"), (-1.999_999, "FortyFiveDown"),
      (2.0, "SingleUp"), (-2.0, "SingleDown"), (2.999_999, "SingleUp"), (-2.999_999, "SingleDown"),
      (3.0, "DoubleUp"), (-3.0, "DoubleDown"), (40.0, "DoubleUp"), (-40.0, "DoubleDown"),
    ])
  func thresholds(rate: Double, word: String) {
    #expect(TrendDirection(ratePerMinute: rate).rawValue == word)
  }

  @Test("without a rate there is no direction, and every direction has its own arrow, one character wide")
  func others() {
    let current = CurrentGlucose(
      minute: SensorMinute(54), concentration: GlucoseConcentration(milligramsPerDecilitre: 100), ratePerMinute: nil)
    #expect(current.direction == .notComputable && current.direction.rawValue == "NOT COMPUTABLE")
    #expect(Set(TrendDirection.allCases.map(\.arrow)).count == TrendDirection.allCases.count)
    #expect(TrendDirection.allCases.allSatisfy { $0.arrow.count == 1 })
  }
}
