// SPDX-License-Identifier: Apache-2.0
import CGMModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Risk of lows and highs, on a scale that weights both equally (Kovatchev 1998 and 2006).
///
/// | number | definition |
/// |---|---|
/// | symmetric scale | f = ln(G)^1.084 − 5.381, zero near 112.5 mg/dL |
/// | LBGI, HBGI | mean of 10 (1.509 f)² where f < 0, where f > 0, over all values |
/// | ADRR | mean over days of 22.77 f² of the day's lowest value, if f < 0, and of its highest, if f > 0 |
///
/// 22.77 is 10 × 1.509² as rounded by iglu (read: iglu-python 0.4.3, R iglu 4.1.7); unrounded, as in py-agata 0.0.8,
/// ADRR is 1.000036 times as large.
enum BloodGlucoseRisk {
  /// The symmetric scale begins at 1 mg/dL: smaller values count as 1, because the power of ln(G) is undefined there.
  private static func symmetric(_ value: Double) -> Double { pow(log(max(1, value)), 1.084) - 5.381 }

  /// Returns the mean risks of the values; at least one value is required.
  static func indices(_ values: some Collection<Double>) -> (low: Double, high: Double) {
    var (low, high) = (0.0, 0.0)
    for value in values {
      let scaled = 1.509 * symmetric(value)
      if scaled < 0 { low += scaled * scaled } else { high += scaled * scaled }
    }
    let count = Double(values.count)
    return (10 * low / count, 10 * high / count)
  }

  /// Returns the average daily risk range, with days of local time; nil without values.
  static func averageDailyRange(_ points: [GlucosePoint], clock: WallClock) -> Double? {
    var days: [Int: (lowest: Double, highest: Double)] = [:]
    for point in points {
      let day = clock.day(point.time)
      let known = days[day] ?? (point.value, point.value)
      days[day] = (min(known.lowest, point.value), max(known.highest, point.value))
    }
    guard !days.isEmpty else { return nil }
    // Sorted, so that the same values always give the same last digit.
    let sum = days.sorted { $0.key < $1.key }.reduce(0) { sum, day in
      let (low, high) = (min(0, symmetric(day.value.lowest)), max(0, symmetric(day.value.highest)))
      return sum + 22.77 * (low * low) + 22.77 * (high * high)
    }
    return sum / Double(days.count)
  }
}

/// Glycaemic Risk Assessment Diabetes Equation, and the shares of its parts (Hill 2007).
///
/// The score of a value is 425 (log10(log10(G / 18)) + 0.16)², at most 50; the score of a span is their mean (read:
/// iglu-python 0.4.3). Below 18 mg/dL, where the equation is undefined, it is 50.
///
/// The parts are those of values under 70, of 70 to 140, and above 140 mg/dL, and add up to 100 % (3.9 and 7.8
/// mmol/L in the documentation of rGV's `manuscript` method; read). iglu's `grade_hypo` has a limit of 80 of its own,
/// so its three parts add up to more than 100 %.
package struct GRADE: Hashable, Sendable {
  package let score: Double
  /// The shares of lows, of the range and of highs; nil if the score is 0.
  package let percentHypoglycaemia: Double?
  package let percentEuglycaemia: Double?
  package let percentHyperglycaemia: Double?

  init?(_ values: some Collection<Double>) {
    guard !values.isEmpty else { return nil }
    var (low, middle, high) = (0.0, 0.0, 0.0)
    for value in values {
      let score = Self.score(value)
      switch value {
      case ..<GlucoseRange.lowLimit: low += score
      case ...GlucoseRange.tightLimit: middle += score
      default: high += score
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

  private static func decimal(_ value: Double) -> Double { log(value) / log(10) }
}
