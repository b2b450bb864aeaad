// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// Numbers as the report shows them: rounded here and nowhere before.
enum ReportNumbers {
  /// For what is not known.
  static let missing = "–"

  /// At most as many decimals as told; `–` for nil, and for what is no number.
  static func number(_ value: Double?, places: Int) -> String {
    guard let value, value.isFinite else { return missing }
    return DecimalText.fixed(value, places: places)
  }

  /// Whole numbers; what is there but too little for one is not shown as nothing, nor what is not all as all.
  static func percent(_ value: Double?) -> String {
    guard let value, value.isFinite else { return missing }
    return PercentText.whole(value)
  }

  /// `2 d 3 h`, `1 h 30 min`, `45 min`.
  static func duration(minutes: Double?) -> String {
    guard let minutes, minutes.isFinite else { return missing }
    if minutes > 0, minutes < 0.5 { return "<1 min" }
    // Longer than the calendar that dates are written in.
    let whole = Int(min(minutes, 6e9).rounded())
    let parts = [(whole / 1_440, "d"), (whole / 60 % 24, "h"), (whole % 60, "min")].filter { $0.0 != 0 }
    return parts.isEmpty ? "0 min" : parts.prefix(2).map { "\($0.0) \($0.1)" }.joined(separator: " ")
  }
}

extension GlucoseUnit {
  /// In this unit.
  func value(_ milligramsPerDecilitre: Double) -> Double {
    value(of: GlucoseConcentration(milligramsPerDecilitre: milligramsPerDecilitre))
  }

  /// In this unit, without its name.
  func text(_ milligramsPerDecilitre: Double?) -> String {
    ReportNumbers.number(milligramsPerDecilitre.map(value), places: places)
  }

  /// The next number that it can show, above or below: where one range ends and another begins.
  func text(_ milligramsPerDecilitre: Double, steps: Double) -> String {
    ReportNumbers.number(value(milligramsPerDecilitre) + steps * (places == 0 ? 1 : 0.1), places: places)
  }
}
