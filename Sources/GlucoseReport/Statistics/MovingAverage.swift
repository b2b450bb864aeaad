// SPDX-License-Identifier: Apache-2.0

/// A moving average over a number of steps of a grid, which reads the points by itself.
struct MovingAverage<Points: IteratorProtocol> where Points.Element == UniformGrid.Point {
  /// Number of steps.
  let length: Int64
  private var points: Points
  /// The first point after the window.
  private var ahead: UniformGrid.Point?
  /// Points that were read: the window begins at `start`.
  private var window: [UniformGrid.Point] = []
  private var start = 0

  init(length: Int64, of points: Points) {
    self.length = length
    self.points = points
    ahead = self.points.next()
  }

  /// First point of the window; nil if the window is empty.
  var first: UniformGrid.Point? { start < window.count ? window[start] : nil }

  /// Moves the window's last step to `index`, which must not decrease.
  mutating func move(to index: Int64) {
    while let point = ahead, point.index <= index {
      window.append(point)
      ahead = points.next()
    }
    while start < window.count, window[start].index <= index - length { start += 1 }
    if start > 256 {
      window.removeFirst(start)
      start = 0
    }
  }

  /// Returns the average minus `origin`. The values are summed again each time, so that errors do not add up.
  func excess(over origin: Double) -> Double {
    var sum = 0.0
    var index = start
    while index < window.count {
      sum += window[index].value - origin
      index += 1
    }
    return sum / Double(window.count - start)
  }
}
