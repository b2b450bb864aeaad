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
    /// Value in mg/dL.
    let value: Double
  }

  let minutes: Int
  /// Midnight before the first value, by the clock's offset at that value.
  let start: Instant
  private let values: [GlucosePoint]

  /// Creates a grid. `values` must be in the order of time.
  init(_ values: [GlucosePoint], minutes: Int, clock: WallClock) {
    self.minutes = minutes
    self.values = values
    start =
      values.first.map {
        Instant(secondsSince1970: $0.time.secondsSince1970 - Int64(clock.secondOfDay($0.time)))
      } ?? Instant(secondsSince1970: 0)
  }

  /// Steps with a value, in their order.
  func makeIterator() -> Iterator { Iterator(values, start: start, step: Int64(minutes) * 60) }

  struct Iterator: IteratorProtocol {
    private let values: [GlucosePoint]
    private let start: Instant
    /// Seconds.
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

    /// Seconds from the start of the grid.
    private func seconds(_ position: Int) -> Int64 { values[position].time.secondsSince1970 - start.secondsSince1970 }

    private func firstStep(from time: Int64) -> Int64 { (time + step - 1) / step }
  }

  func time(_ index: Int64) -> Instant { start.adding(minutes: Int(index) * minutes) }
}
