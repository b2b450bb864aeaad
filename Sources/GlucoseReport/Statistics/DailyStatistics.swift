// SPDX-License-Identifier: Apache-2.0
/// Basic statistics of a day's values, or of any span.
///
/// | number | unit, definition |
/// |---|---|
/// | mean, SD (n − 1), CV = 100 SD / mean | mg/dL, mg/dL, % |
/// | below, in and above range | % of the values under 70, of 70 to 180, and above 180 mg/dL (Battelino 2019) |
package struct DailyStatistics: Hashable, Sendable {
  package let count: Int
  package let mean: Double
  /// Standard deviation; nil for one value.
  package let standardDeviation: Double?
  package let lowest: Double
  package let highest: Double
  package let percentBelow: Double
  package let percentInRange: Double
  package let percentAbove: Double

  /// Limits of the range; both belong to it.
  package static let range = GlucoseRange.lowLimit...GlucoseRange.highLimit

  /// Computes the statistics of values in mg/dL; nil without values.
  package init?(_ values: some Collection<Double>) {
    guard let lowest = values.min(), let highest = values.max() else { return nil }
    count = values.count
    let mean = values.reduce(0, +) / Double(values.count)
    self.mean = mean
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    standardDeviation = values.count > 1 ? (squares / Double(values.count - 1)).squareRoot() : nil
    self.lowest = lowest
    self.highest = highest
    // Multiply first, so that 97 of 97 values give exactly 100 %.
    func percent(_ belongs: (Double) -> Bool) -> Double {
      100 * Double(values.count(where: belongs)) / Double(values.count)
    }
    percentBelow = percent { $0 < Self.range.lowerBound }
    percentAbove = percent { $0 > Self.range.upperBound }
    percentInRange = percent(Self.range.contains)
  }

  /// Coefficient of variation; nil without a standard deviation, or if the mean is not above zero.
  package var coefficientOfVariation: Double? { mean > 0 ? standardDeviation.map { 100 * $0 / mean } : nil }
}
