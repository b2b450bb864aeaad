// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// Values at equal steps from a local midnight on, interpolated between close measurements.
///
/// Between two values at most 45 minutes apart the grid is interpolated linearly; strictly within a longer gap, before
/// the first value and after the last, it is empty. This is what iglu does (`CGMS2DayByDay`; verified by running
/// iglu-python 0.4.3), and as there the grid begins one step after the midnight of the first day: a first value at that
/// very midnight is not on it.
///
/// Steps are elapsed time. Midnights after a clock change are on the grid if the change is a multiple of the step, as
/// all present changes are.
///
/// Its points are computed while they are read: all of them would need several times the memory of the values.
struct UniformGrid: Sequence {
  struct Point: Hashable {
    /// Number of steps since `start`, from 1.
    let index: Int64
    let value: Double
  }

  let minutes: Int
  /// Midnight before the first value, by the clock's offset at that value.
  let start: Instant
  private let values: [GlucosePoint]

  init(_ values: [GlucosePoint], minutes: Int, clock: WallClock) {
    (self.minutes, self.values) = (minutes, values)
    start =
      values.first.map {
        Instant(secondsSince1970: $0.time.secondsSince1970 - Int64(clock.secondOfDay($0.time)))
      } ?? Instant(secondsSince1970: 0)
  }

  func makeIterator() -> Iterator { Iterator(values, start: start, step: Int64(minutes) * 60) }

  struct Iterator: IteratorProtocol {
    private let values: [GlucosePoint]
    private let start: Instant
    private let step: Int64
    /// The value up to which points are computed.
    private var position = 0
    /// Next step to fill.
    private var index: Int64 = 1

    fileprivate init(_ values: [GlucosePoint], start: Instant, step: Int64) {
      (self.values, self.start, self.step) = (values, start, step)
      if !values.isEmpty { index = Swift.max(1, firstStep(from: seconds(0))) }
    }

    mutating func next() -> Point? {
      while position < values.count {
        let time = seconds(position)
        let before = Swift.max(0, position - 1)
        if !DataGap.isBridged(values[before].time, values[position].time) {
          index = Swift.max(index, firstStep(from: time))
        } else if index * step < time {
          defer { index += 1 }
          // Multiply first, so that a whole number stays one.
          let rise =
            (values[position].value - values[before].value) * Double(index * step - seconds(before))
            / Double(time - seconds(before))
          return Point(index: index, value: values[before].value + rise)
        }
        position += 1
        if index * step == time {
          defer { index += 1 }
          return Point(index: index, value: values[position - 1].value)
        }
      }
      return nil
    }

    private func seconds(_ position: Int) -> Int64 { values[position].time.secondsSince1970 - start.secondsSince1970 }
    private func firstStep(from time: Int64) -> Int64 { (time + step - 1) / step }
  }

  func time(_ index: Int64) -> Instant { start.adding(minutes: Int(index) * minutes) }
}

/// Variability over time, as iglu-python 0.4.3 computes it on its grid (read, and verified by running it).
extension UniformGrid {
  /// Mean of daily differences, mg/dL: between values at the same local time on consecutive days (Service 1980); nil
  /// without such pairs. Of an hour that occurs twice, the first is compared with the day before and the second with
  /// the day after.
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

  /// Continuous overall net glycaemic action, mg/dL: the SD (n − 1) of the differences between values that are `hours`
  /// apart (McDonnell 2005); nil for fewer than two such pairs.
  func continuousOverallNetAction(hours: Int) -> Double? {
    Differences(grid: self, lag: Int64(hours * 60 / minutes)).standardDeviation
  }

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

struct MeanAccumulator {
  private var sum = 0.0
  private(set) var count = 0

  mutating func add(_ value: Double) {
    sum += value
    count += 1
  }

  var mean: Double? { count > 0 ? sum / Double(count) : nil }
}

extension Sequence<Double> {
  /// The standard deviation (n − 1) of values that are read twice instead of kept; nil for fewer than two.
  var standardDeviation: Double? {
    var mean = MeanAccumulator()
    for value in self { mean.add(value) }
    guard mean.count > 1, let center = mean.mean else { return nil }
    let squares = reduce(0) { $0 + ($1 - center) * ($1 - center) }
    return (squares / Double(mean.count - 1)).squareRoot()
  }
}
