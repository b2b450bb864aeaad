// SPDX-License-Identifier: Apache-2.0

/// A moving average over a number of steps of a grid.
struct MovingAverage {
  /// Number of steps.
  let length: Int64
  /// Points in the window: from `start` up to, but not including, `end`.
  private(set) var start: Int
  private var end: Int

  init(length: Int64, from start: Int) {
    self.length = length
    self.start = start
    end = start
  }

  var isEmpty: Bool { start == end }

  /// Moves the window's last step to `index`, which must not decrease.
  mutating func move(to index: Int64, in points: [UniformGrid.Point]) {
    while end < points.count, points[end].index <= index { end += 1 }
    while start < end, points[start].index <= index - length { start += 1 }
  }

  /// Returns the average minus `origin`. The values are summed again each time, so that errors do not add up.
  func excess(over origin: Double, in points: [UniformGrid.Point]) -> Double {
    var sum = 0.0
    var index = start
    while index < end {
      sum += points[index].value - origin
      index += 1
    }
    return sum / Double(end - start)
  }
}
