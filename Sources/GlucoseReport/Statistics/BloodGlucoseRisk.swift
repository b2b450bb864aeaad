// SPDX-License-Identifier: Apache-2.0
import CGMModel

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
  /// Converts to the symmetric scale, which begins at 1 mg/dL: smaller values count as 1, because the power of ln(G) is
  /// undefined there.
  private static func symmetric(_ value: Double) -> Double {
    Logarithm.power(Logarithm.natural(max(1, value)), 1.084) - 5.381
  }

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
