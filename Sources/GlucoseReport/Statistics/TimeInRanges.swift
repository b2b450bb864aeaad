// SPDX-License-Identifier: Apache-2.0

/// Share of the values in each range of the consensus, in % (Battelino 2019).
///
/// | range | mg/dL |
/// |---|---|
/// | very low | under 54 |
/// | low | 54 to under 70 |
/// | target | 70 to 180 |
/// | high | over 180 to 250 |
/// | very high | over 250 |
/// | tight | 70 to 140 |
/// | pregnancy | 63 to 140 |
package struct TimeInRanges: Hashable, Sendable {
  package let veryLow: Double
  package let low: Double
  package let target: Double
  package let high: Double
  package let veryHigh: Double
  package let tight: Double
  package let pregnancy: Double
  package let belowPregnancy: Double
  package let abovePregnancy: Double

  /// Computes the shares of values in mg/dL; at least one value is required.
  package init(_ values: some Collection<Double>) {
    func percent(_ belongs: (Double) -> Bool) -> Double {
      100 * Double(values.count(where: belongs)) / Double(values.count)
    }
    veryLow = percent(GlucoseRange.veryLow.contains)
    low = percent(GlucoseRange.low.contains)
    target = percent(GlucoseRange.target.contains)
    high = percent(GlucoseRange.high.contains)
    veryHigh = percent(GlucoseRange.veryHigh.contains)
    tight = percent(GlucoseRange.tight.contains)
    pregnancy = percent(GlucoseRange.pregnancy.contains)
    belowPregnancy = percent { $0 < GlucoseRange.pregnancyLimit }
    abovePregnancy = percent { $0 > GlucoseRange.tightLimit }
  }

  /// Glycemia risk index, 0 to 100 (Klonoff 2022, as iglu-python 0.4.3 and py-agata 0.0.8 read it: the factor 0.8
  /// is for high without very high; R iglu before 4.3.0 also counts very high there).
  var glycemiaRiskIndex: Double { min(100, 3 * veryLow + 2.4 * low + 1.6 * veryHigh + 0.8 * high) }
}
