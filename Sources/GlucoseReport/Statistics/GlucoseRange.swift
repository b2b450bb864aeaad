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
