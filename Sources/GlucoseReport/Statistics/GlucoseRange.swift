// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// Glucose ranges for time in range (Battelino 2019; remembered for the limits of pregnancy).
package enum GlucoseRange: CaseIterable, Hashable, Sendable {
  case veryLow, low, target, high, veryHigh
  /// The lower part of the target range.
  case tight
  case pregnancy

  // mg/dL. A limit belongs to the range closer to the middle.
  package static let veryLowLimit = 54.0
  static let pregnancyLimit = 63.0
  package static let lowLimit = 70.0
  static let tightLimit = 140.0
  package static let highLimit = 180.0
  package static let veryHighLimit = 250.0

  /// True if a value in mg/dL is in the range.
  package func contains(_ value: Double) -> Bool {
    switch self {
    case .veryLow: value < Self.veryLowLimit
    case .low: value >= Self.veryLowLimit && value < Self.lowLimit
    case .target: value >= Self.lowLimit && value <= Self.highLimit
    case .high: value > Self.highLimit && value <= Self.veryHighLimit
    case .veryHigh: value > Self.veryHighLimit
    case .tight: value >= Self.lowLimit && value <= Self.tightLimit
    case .pregnancy: value >= Self.pregnancyLimit && value <= Self.tightLimit
    }
  }

  /// Class of its colours in a page's style.
  package var kind: String {
    switch self {
    case .veryLow: "veryLow"
    case .low: "low"
    case .target, .tight, .pregnancy: "within"
    case .high: "high"
    case .veryHigh: "veryHigh"
    }
  }

  /// Name for people: `Very low`.
  package var name: String {
    switch self {
    case .veryLow: "Very low"
    case .low: "Low"
    case .target, .tight, .pregnancy: "In range"
    case .high: "High"
    case .veryHigh: "Very high"
    }
  }

  /// Returns the limits as text: `under 54`, `54–69`, `70–180`; in mmol/L `3.0–3.8`.
  package func words(_ unit: GlucoseUnit) -> String {
    func text(_ value: Double, _ steps: Double = 0) -> String { unit.text(value, steps: steps) }
    return switch self {
    case .veryLow: "under \(text(Self.veryLowLimit))"
    case .low: "\(text(Self.veryLowLimit))–\(text(Self.lowLimit, -1))"
    case .target: "\(text(Self.lowLimit))–\(text(Self.highLimit))"
    case .high: "\(text(Self.highLimit, 1))–\(text(Self.veryHighLimit))"
    case .veryHigh: "over \(text(Self.veryHighLimit))"
    case .tight: "\(text(Self.lowLimit))–\(text(Self.tightLimit))"
    case .pregnancy: "\(text(Self.pregnancyLimit))–\(text(Self.tightLimit))"
    }
  }
}

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
    standardDeviation = StandardDeviation.of(values)
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
