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
struct UniformGrid {
  struct Point: Hashable {
    /// Number of steps since `start`, from 1.
    let index: Int64
    /// Value in mg/dL.
    let value: Double
  }

  let minutes: Int
  /// Midnight before the first value, by the clock's offset at that value.
  let start: Instant
  /// Steps with a value, in their order.
  let points: [Point]

  /// Creates a grid. `values` must be in the order of time.
  init(_ values: [GlucosePoint], minutes: Int, clock: WallClock) {
    self.minutes = minutes
    guard let first = values.first else {
      start = Instant(secondsSince1970: 0)
      points = []
      return
    }
    let start = Instant(secondsSince1970: first.time.secondsSince1970 - Int64(clock.secondOfDay(first.time)))
    self.start = start
    let step = Int64(minutes) * 60
    var points: [Point] = []
    // Next step to fill.
    var index = max(1, (first.time.secondsSince1970 - start.secondsSince1970 + step - 1) / step)
    var previous = first
    for value in values {
      let time = value.time.secondsSince1970 - start.secondsSince1970
      let previousTime = previous.time.secondsSince1970 - start.secondsSince1970
      let span = time - previousTime
      if !DataGap.isBridged(previous.time, value.time) {
        index = max(index, (time + step - 1) / step)
      } else {
        while index * step < time {
          // Multiply first, so that a whole number stays one.
          let rise = (value.value - previous.value) * Double(index * step - previousTime) / Double(span)
          points.append(Point(index: index, value: previous.value + rise))
          index += 1
        }
      }
      if index * step == time {
        points.append(Point(index: index, value: value.value))
        index += 1
      }
      previous = value
    }
    self.points = points
  }

  func time(_ index: Int64) -> Instant { start.adding(minutes: Int(index) * minutes) }
}
