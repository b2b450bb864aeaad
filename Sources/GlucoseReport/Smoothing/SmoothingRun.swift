// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// Neighbouring values that may be smoothed together.
///
/// A sensor gives a value each minute (trend) or each quarter of an hour (history), and a chart may have both. A
/// value with another one within two minutes counts as a minute value, otherwise as a quarter value. A run has one
/// kind, and its neighbours are at most twice its step apart: two or thirty minutes. So smoothing never crosses a gap
/// or mixes both kinds.
enum SmoothingRun {
  private static let minuteReach: Int64 = 2 * 60
  private static let quarterReach: Int64 = 30 * 60

  /// Returns the runs as positions in `points`, without values that are not numbers. A time that goes back ends a run.
  static func among(_ points: [GlucosePoint]) -> [Range<Int>] {
    func isReached(_ index: Int, _ reach: Int64) -> Bool {
      guard index > 0, index < points.count else { return false }
      let (one, other) = (points[index - 1], points[index])
      guard one.value.isFinite, other.value.isFinite else { return false }
      let (step, isTooFar) = other.time.secondsSince1970.subtractingReportingOverflow(one.time.secondsSince1970)
      return !isTooFar && (0...reach).contains(step)
    }
    func isMinute(_ index: Int) -> Bool { isReached(index, minuteReach) || isReached(index + 1, minuteReach) }

    var runs: [Range<Int>] = []
    for index in points.indices where points[index].value.isFinite {
      if let run = runs.last, run.upperBound == index, isMinute(index - 1) == isMinute(index),
        isReached(index, isMinute(index) ? minuteReach : quarterReach)
      {
        runs[runs.count - 1] = run.lowerBound..<index + 1
      } else {
        runs.append(index..<index + 1)
      }
    }
    return runs
  }
}
