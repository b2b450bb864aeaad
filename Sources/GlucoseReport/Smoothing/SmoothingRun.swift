// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// Neighbouring values that may be smoothed together.
///
/// A sensor gives a value each minute (trend) or each quarter of an hour (history), and a picture may have both. A value
/// with another within two minutes is one of the first kind, else of the second. A run has one kind, and neighbours in it
/// are at most twice its step apart: two minutes or thirty. So nothing is smoothed over a gap, nor minutes with quarters.
enum SmoothingRun {
  private static let minuteReach: Int64 = 2 * 60
  private static let quarterReach: Int64 = 30 * 60

  /// Places in `points`, without those of values that are no numbers. Times that go back end a run.
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
