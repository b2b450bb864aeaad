// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// How much values differ over time, as iglu-python 0.4.3 computes it on its grid (read, and verified by running it).
extension UniformGrid {
  /// Mean of daily differences, mg/dL: between values at the same time of day on the clock on consecutive days, without
  /// sign (Service 1980). nil for no such pair.
  ///
  /// Of an hour that comes twice, the first is held against the day before and the second against the day after; one
  /// that is left out has no pairs.
  func meanOfDailyDifferences(clock: WallClock) -> Double? {
    var latest = [(day: Int, value: Double)?](repeating: nil, count: 24 * 60 / minutes)
    var differences = MeanAccumulator()
    for point in points {
      let (day, second) = clock.place(time(point.index))
      let slot = second / (minutes * 60)
      if let latest = latest[slot], latest.day == day - 1 { differences.add(abs(point.value - latest.value)) }
      latest[slot] = (day, point.value)
    }
    return differences.mean
  }

  /// Continuous overall net glycaemic action, mg/dL: the SD (n − 1) of the differences between values that are so many
  /// hours apart (McDonnell 2005). nil for fewer than two such pairs.
  func continuousOverallNetAction(hours: Int) -> Double? {
    let lag = Int64(hours * 60 / minutes)
    var differences: [Double] = []
    var earlier = 0
    for point in points {
      while points[earlier].index < point.index - lag { earlier += 1 }
      if points[earlier].index == point.index - lag { differences.append(point.value - points[earlier].value) }
    }
    return DailyStatistics(differences)?.standardDeviation
  }

  /// Mean absolute glucose change, mg/dL per hour, from step to step (Hermanides 2010). nil where no two steps follow
  /// each other; iglu-python says 0 there.
  var meanAbsoluteChange: Double? {
    var differences = MeanAccumulator()
    for (previous, point) in zip(points, points.dropFirst()) where point.index == previous.index + 1 {
      differences.add(abs(point.value - previous.value))
    }
    return differences.mean.map { $0 * 60 / Double(minutes) }
  }
}
