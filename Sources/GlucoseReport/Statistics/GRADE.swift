// SPDX-License-Identifier: Apache-2.0

/// Glycaemic Risk Assessment Diabetes Equation, and the shares of its parts (Hill 2007).
///
/// The score of a value is 425 (log10(log10(G / 18)) + 0.16)², at most 50; the score of a span is their mean (read:
/// iglu-python 0.4.3). Below 18 mg/dL, where the equation is undefined, it is 50.
///
/// The parts are those of values under 70, of 70 to 140, and above 140 mg/dL, and add up to 100 % (3.9 and 7.8
/// mmol/L in the documentation of rGV's `manuscript` method; read). iglu's `grade_hypo` has a limit of 80 of its own,
/// so its three parts add up to more than 100 %.
package struct GRADE: Hashable, Sendable {
  /// Score, 0 to 50.
  package let score: Double
  /// Share of lows in %; nil if the score is 0.
  package let percentHypoglycaemia: Double?
  /// Share of the range in %; nil if the score is 0.
  package let percentEuglycaemia: Double?
  /// Share of highs in %; nil if the score is 0.
  package let percentHyperglycaemia: Double?

  private static let range = GlucoseRange.lowLimit...GlucoseRange.tightLimit

  /// Computes the score of values in mg/dL; nil without values.
  init?(_ values: some Collection<Double>) {
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
