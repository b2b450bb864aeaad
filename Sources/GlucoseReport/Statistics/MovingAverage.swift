// SPDX-License-Identifier: Apache-2.0

/// The average of the last steps of a grid, which moves on step by step.
struct MovingAverage {
  /// Steps.
  let length: Int64
  /// The points within: from `start` to before `end`.
  private(set) var start: Int
  private var end: Int

  init(length: Int64, from start: Int) {
    self.length = length
    self.start = start
    end = start
  }

  var isEmpty: Bool { start == end }

  /// Lets the last of the steps be `index`, which never goes back.
  mutating func move(to index: Int64, in points: [UniformGrid.Point]) {
    while end < points.count, points[end].index <= index { end += 1 }
    while start < end, points[start].index <= index - length { start += 1 }
  }

  /// How much the average is more than `origin`. The values are summed anew each time, so that no error adds up.
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
