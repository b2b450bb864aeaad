// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// Formatting of the report's numbers, which are rounded only here.
enum ReportNumbers {
  static let missing = "–"

  /// Formats a number with at most `places` decimals; `–` for nil and for a value that is not a number.
  static func number(_ value: Double?, places: Int) -> String {
    guard let value, value.isFinite else { return missing }
    return DecimalText.fixed(value, places: places)
  }

  /// Formats whole percentages; shares between 0 and 1 % are shown as "<1 %", between 99 and 100 % as ">99 %".
  static func percent(_ value: Double?) -> String {
    guard let value, value.isFinite else { return missing }
    return PercentText.whole(value)
  }

  /// Formats a percentage with as many decimals, at most two, as show on which side of a target it is.
  static func percent(_ value: Double, besides target: Double) -> String {
    let whole = percent(value)
    guard value.isFinite, value != target, whole == percent(target) else { return whole }
    let texts = [1, 2].map { DecimalText.fixed(value, places: $0) }
    return "\(texts.first { Double($0) != target } ?? texts[1]) %"
  }

  /// Formats a duration: `2 d 3 h`, `1 h 30 min`, `45 min`.
  static func duration(minutes: Double?) -> String {
    guard let minutes, minutes.isFinite else { return missing }
    if minutes > 0, minutes < 0.5 { return "<1 min" }
    // Maximum beyond the calendar of written dates.
    let whole = Int(saturating: min(minutes, 6e9).rounded())
    let parts = [(whole / 1_440, "d"), (whole / 60 % 24, "h"), (whole % 60, "min")].filter { $0.0 != 0 }
    return parts.isEmpty ? "0 min" : parts.prefix(2).map { "\($0.0) \($0.1)" }.joined(separator: " ")
  }
}

extension GlucoseUnit {
  func value(_ milligramsPerDecilitre: Double) -> Double {
    value(of: GlucoseConcentration(milligramsPerDecilitre: milligramsPerDecilitre))
  }

  func text(_ milligramsPerDecilitre: Double?) -> String {
    ReportNumbers.number(milligramsPerDecilitre.map(value), places: places)
  }

  /// Formats the adjacent displayable number above or below: the boundary between two ranges.
  func text(_ milligramsPerDecilitre: Double, steps: Double) -> String {
    ReportNumbers.number(value(milligramsPerDecilitre) + steps * (places == 0 ? 1 : 0.1), places: places)
  }
}
