// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// Glucose ranges for time in range (Battelino 2019; remembered for the limits of pregnancy).
package enum GlucoseRange: CaseIterable, Hashable, Sendable {
  case veryLow, low, target, high, veryHigh
  case tight, pregnancy

  // mg/dL. A limit belongs to the range closer to the middle.
  package static let veryLowLimit = 54.0
  static let pregnancyLimit = 63.0
  package static let lowLimit = 70.0
  static let tightLimit = 140.0
  package static let highLimit = 180.0
  package static let veryHighLimit = 250.0

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

  /// The class of its colours in a page's style.
  package var kind: String { look.kind }
  package var name: String { look.name }

  private var look: (kind: String, name: String) {
    switch self {
    case .veryLow: ("veryLow", "Very low")
    case .low: ("low", "Low")
    case .target, .tight, .pregnancy: ("within", "In range")
    case .high: ("high", "High")
    case .veryHigh: ("veryHigh", "Very high")
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

/// Share of the values in each `GlucoseRange`, in % (Battelino 2019).
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

  /// `values` has at least one, in mg/dL.
  package init(_ values: some Collection<Double>) {
    func percent(_ range: GlucoseRange) -> Double { values.percent(where: range.contains) }
    (veryLow, low, target, high, veryHigh) = (
      percent(.veryLow), percent(.low), percent(.target), percent(.high), percent(.veryHigh)
    )
    (tight, pregnancy) = (percent(.tight), percent(.pregnancy))
    belowPregnancy = values.percent { $0 < GlucoseRange.pregnancyLimit }
    abovePregnancy = values.percent { $0 > GlucoseRange.tightLimit }
  }

  /// Glycemia risk index, 0 to 100 (Klonoff 2022, as iglu-python 0.4.3 and py-agata 0.0.8 read it: the factor 0.8
  /// is for high without very high; R iglu before 4.3.0 also counts very high there).
  var glycemiaRiskIndex: Double { min(100, 3 * veryLow + 2.4 * low + 1.6 * veryHigh + 0.8 * high) }
}

/// Basic statistics of a day's values, or of any span, in mg/dL and %.
package struct DailyStatistics: Hashable, Sendable {
  package let count: Int
  package let mean: Double
  /// Computed with n − 1; nil for one value.
  package let standardDeviation: Double?
  package let lowest: Double
  package let highest: Double
  /// Shares of the values under 70, of 70 to 180, and above 180 mg/dL (Battelino 2019).
  package let percentBelow: Double
  package let percentInRange: Double
  package let percentAbove: Double

  /// Limits of the range; both belong to it.
  package static let range = GlucoseRange.lowLimit...GlucoseRange.highLimit

  /// nil without values; they are in mg/dL.
  package init?(_ values: some Collection<Double>) {
    guard let lowest = values.min(), let highest = values.max() else { return nil }
    (self.lowest, self.highest, count) = (lowest, highest, values.count)
    mean = values.reduce(0, +) / Double(values.count)
    standardDeviation = values.standardDeviation
    percentBelow = values.percent { $0 < Self.range.lowerBound }
    percentAbove = values.percent { $0 > Self.range.upperBound }
    percentInRange = values.percent(where: Self.range.contains)
  }

  /// Coefficient of variation; nil without a standard deviation, or if the mean is not above zero.
  package var coefficientOfVariation: Double? { mean > 0 ? standardDeviation.map { 100 * $0 / mean } : nil }
}

extension Collection {
  /// The share of the elements that belong; there is at least one.
  func percent(where belongs: (Element) -> Bool) -> Double {
    // Multiply first, so that 97 of 97 give exactly 100 %.
    100 * Double(count(where: belongs)) / Double(count)
  }
}
