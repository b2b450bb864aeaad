// SPDX-License-Identifier: Apache-2.0

/// Glycaemic Risk Assessment Diabetes Equation, and what part of it comes from where (Hill 2007).
///
/// The score of a value is 425 (log10(log10(G / 18)) + 0.16)², at most 50; that of a stretch is their mean (read:
/// iglu-python 0.4.3). Under 18 mg/dL, where the equation ends, it is 50.
///
/// The parts are those of values under 70, of 70 to 140, and above 140 mg/dL, and make 100 % (3.9 and 7.8 mmol/L in
/// the documentation of rGV's `manuscript` method; read). iglu's `grade_hypo` has 80 as its own limit, so its three
/// parts make more than 100 %.
public struct GRADE: Hashable, Sendable {
  /// 0 to 50
  public let score: Double
  /// %; nil where the score is 0.
  public let percentHypoglycaemia: Double?
  /// %; nil where the score is 0.
  public let percentEuglycaemia: Double?
  /// %; nil where the score is 0.
  public let percentHyperglycaemia: Double?

  private static let range = GlucoseRange.lowLimit...GlucoseRange.tightLimit

  /// nil for no values. The values are in mg/dL.
  init?(_ values: [Double]) {
    guard !values.isEmpty else { return nil }
    var (low, middle, high) = (0.0, 0.0, 0.0)
    for value in values {
      let score = Self.score(value)
      if value < Self.range.lowerBound {
        low += score
      } else if value <= Self.range.upperBound {
        middle += score
      } else {
        high += score
      }
    }
    let sum = low + middle + high
    score = sum / Double(values.count)
    let share = sum > 0 ? 100 / sum : nil
    percentHypoglycaemia = share.map { $0 * low }
    percentEuglycaemia = share.map { $0 * middle }
    percentHyperglycaemia = share.map { $0 * high }
  }

  private static func score(_ value: Double) -> Double {
    let inner = decimal(value / 18)
    guard value > 18, inner > 0 else { return 50 }
    let root = decimal(inner) + 0.16
    return min(50, 425 * root * root)
  }

  private static func decimal(_ value: Double) -> Double { Logarithm.natural(value) / Logarithm.natural(10) }
}
