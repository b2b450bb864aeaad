// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// Variability over time, as iglu-python 0.4.3 computes it on its grid (read, and verified by running it).
extension UniformGrid {
  /// Returns the mean of daily differences, mg/dL: the absolute difference between values at the same local time on
  /// consecutive days (Service 1980); nil without such pairs.
  ///
  /// If an hour occurs twice, the first is compared with the day before and the second with the day after; a skipped
  /// hour has no pairs.
  func meanOfDailyDifferences(clock: WallClock) -> Double? {
    var latest = [(day: Int, value: Double)?](repeating: nil, count: 24 * 60 / minutes)
    var differences = MeanAccumulator()
    for point in self {
      let (day, second) = clock.place(time(point.index))
      let slot = second / (minutes * 60)
      if let latest = latest[slot], latest.day == day - 1 { differences.add(abs(point.value - latest.value)) }
      latest[slot] = (day, point.value)
    }
    return differences.mean
  }

  /// Returns the continuous overall net glycaemic action, mg/dL: the SD (n − 1) of the differences between values that
  /// are `hours` apart (McDonnell 2005); nil for fewer than two such pairs.
  func continuousOverallNetAction(hours: Int) -> Double? {
    StandardDeviation.of(Differences(grid: self, lag: Int64(hours * 60 / minutes)))
  }

  /// The differences between values that are `lag` steps apart.
  private struct Differences: Sequence {
    let grid: UniformGrid
    let lag: Int64

    func makeIterator() -> AnyIterator<Double> {
      var points = grid.makeIterator()
      var earlierPoints = grid.makeIterator()
      var earlier = earlierPoints.next()
      return AnyIterator {
        while let point = points.next() {
          while let known = earlier, known.index < point.index - lag { earlier = earlierPoints.next() }
          if let known = earlier, known.index == point.index - lag { return point.value - known.value }
        }
        return nil
      }
    }
  }

  /// Mean absolute glucose change, mg/dL per hour, from step to step (Hermanides 2010); nil without two consecutive
  /// steps, where iglu-python returns 0.
  var meanAbsoluteChange: Double? {
    var differences = MeanAccumulator()
    for (previous, point) in zip(self, dropFirst()) where point.index == previous.index + 1 {
      differences.add(abs(point.value - previous.value))
    }
    return differences.mean.map { $0 * 60 / Double(minutes) }
  }
}
