// SPDX-License-Identifier: Apache-2.0
/// Basic statistics of a day's values, or of any span.
///
/// | number | unit, definition |
/// |---|---|
/// | mean, SD (n − 1), CV = 100 SD / mean | mg/dL, mg/dL, % |
/// | below, in and above range | % of the values under 70, of 70 to 180, and above 180 mg/dL (Battelino 2019) |
public struct DailyStatistics: Hashable, Sendable {
  public let count: Int
  public let mean: Double
  /// Standard deviation; nil for one value.
  public let standardDeviation: Double?
  public let lowest: Double
  public let highest: Double
  public let percentBelow: Double
  public let percentInRange: Double
  public let percentAbove: Double

  /// Limits of the range; both belong to it.
  public static let range = GlucoseRange.lowLimit...GlucoseRange.highLimit

  /// Computes the statistics of values in mg/dL; nil without values.
  public init?(_ values: some Collection<Double>) {
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
  public var coefficientOfVariation: Double? { mean > 0 ? standardDeviation.map { 100 * $0 / mean } : nil }
}
