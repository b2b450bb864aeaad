// SPDX-License-Identifier: Apache-2.0

/// Mean amplitude of glycaemic excursions (Service 1970), by moving averages of 5 and 32 points (Fernandes 2022).
///
/// The definition of an excursion is not standardized, so the algorithm's name belongs to the number. This is the
/// default of iglu (`mage` of iglu-python 0.4.3; read, and verified by running it):
///
/// 1. The values are put on a grid of 5 minutes, which is cut where values are more than 3 hours apart. Each piece is
/// evaluated separately.
/// 2. The search changes between peak and nadir where the moving averages of 5 and 32 points cross. The turning point
/// is the highest or lowest value from the previous turning point to the next crossing.
/// 3. A rise of more than one SD of the piece is an excursion, which lasts until the values fall by more than that; its
/// height is from the nadir to the peak. Falls are found in the same way.
/// 4. Each piece has a mean of its rises and a mean of its falls; MAGE is the mean of all of these, each weighted by
/// the length of its piece.
///
/// One detail differs. If a piece begins with 32 equal points, both averages are equal, and the first point at which
/// they differ decides whether a peak or a nadir is searched first. iglu-python decides it earlier, and then misses
/// turning points of that piece (verified: of 24 random series 16 agree to 1e-6, the other 8 if iglu-python is
/// given that first difference).
enum MAGE {
  static let algorithm = "iglu moving average, 5 and 32 points"
  private static let short: Int64 = 5
  private static let long: Int64 = 32
  /// Maximum number of steps between values of one piece: 180 minutes.
  private static let maximumGap: Int64 = 36
  /// Minimum number of steps in a piece, and its minimum SD in mg/dL.
  private static let minimumSteps: Int64 = 7
  private static let minimumDeviation = 1.0

  /// Points without a gap of more than `maximumGap` steps, which are computed each time they are read.
  private struct Piece: Sequence {
    private let begin: UniformGrid.Iterator
    private var count = 0
    let first: Int64
    private(set) var last: Int64

    init?(_ rest: inout UniformGrid.Iterator) {
      begin = rest
      var ahead = rest
      guard let point = ahead.next() else { return nil }
      (first, last) = (point.index, point.index)
      var next: UniformGrid.Point? = point
      while let point = next, point.index - last <= maximumGap {
        rest = ahead
        last = point.index
        count += 1
        next = ahead.next()
      }
    }

    func makeIterator() -> Iterator { Iterator(points: begin, count: count) }

    struct Iterator: IteratorProtocol {
      fileprivate var points: UniformGrid.Iterator
      fileprivate var count: Int

      mutating func next() -> UniformGrid.Point? {
        if count == 0 { return nil }
        count -= 1
        return points.next()
      }
    }
  }

  /// Returns MAGE in mg/dL; nil without excursions. `grid` has steps of 5 minutes.
  static func value(_ grid: UniformGrid) -> Double? {
    var (sum, weights) = (0.0, 0.0)
    var rest = grid.makeIterator()
    while let piece = Piece(&rest) {
      let weight = Double(piece.last - piece.first)
      for mean in excursions(piece) {
        sum += weight * mean
        weights += weight
      }
    }
    return weights > 0 ? sum / weights : nil
  }

  /// Returns the mean height of a piece's rises and that of its falls, if it has any.
  private static func excursions(_ piece: Piece) -> [Double] {
    guard piece.last - piece.first + 1 >= minimumSteps,
      let deviation = piece.lazy.map(\.value).standardDeviation, deviation >= minimumDeviation
    else { return [] }
    let turns = turningPoints(piece)
    return [meanRise(turns, over: deviation), meanRise(turns.map { -$0 }, over: deviation)].compactMap(\.self)
  }

  private static func turningPoints(_ piece: Piece) -> [Double] {
    let (first, last) = (piece.first, piece.last)
    // The first full averages also apply to the steps before them.
    let (firstShort, firstLong) = (min(first + short - 1, last), min(first + long - 1, last))
    var shortAverage = MovingAverage(length: short, of: piece.makeIterator())
    var longAverage = MovingAverage(length: long, of: piece.makeIterator())
    var turns: [Double] = []
    var peaks = SlidingExtreme(isHighest: true)
    var nadirs = SlidingExtreme(isHighest: false)
    // Last difference of the averages that was not zero; its sign decides whether a peak is searched.
    var side = 0.0
    func turn() {
      guard let extreme = side > 0 ? peaks.first : nadirs.first else { return }
      turns.append(extreme.value)
      peaks.forget(before: extreme.position)
      nadirs.forget(before: extreme.position)
    }
    var points = piece.makeIterator()
    var next = points.next()
    var position = 0
    for index in first...last {
      if let point = next, point.index == index {
        peaks.add(point.value, at: position)
        nadirs.add(point.value, at: position)
        position += 1
        next = points.next()
      }
      shortAverage.move(to: max(index, firstShort))
      longAverage.move(to: max(index, firstLong))
      // Relative to a value in the window, so that averages of equal values differ by exactly zero.
      guard shortAverage.first != nil, let origin = longAverage.first?.value else { continue }
      let difference = shortAverage.excess(over: origin) - longAverage.excess(over: origin)
      if difference * side < 0 { turn() }
      if difference != 0 { side = difference }
    }
    turn()
    return turns
  }

  /// Returns the mean height of rises above a threshold, each ending where the values fall by more than that.
  private static func meanRise(_ turns: [Double], over threshold: Double) -> Double? {
    guard var lowest = turns.first else { return nil }
    var heights = MeanAccumulator()
    var peak: Double?
    for value in turns {
      if let reached = peak {
        if value >= reached {
          peak = value
        } else if reached - value > threshold {
          heights.add(reached - lowest)
          peak = nil
          lowest = value
        }
      } else {
        lowest = min(lowest, value)
        if value - lowest > threshold { peak = value }
      }
    }
    if let peak { heights.add(peak - lowest) }
    return heights.mean
  }
}

/// A moving average over a number of steps of a grid, which reads the points by itself.
struct MovingAverage<Points: IteratorProtocol> where Points.Element == UniformGrid.Point {
  let length: Int64
  private var points: Points
  /// The first point after the window.
  private var ahead: UniformGrid.Point?
  /// Points that were read: the window begins at `start`.
  private var window: [UniformGrid.Point] = []
  private var start = 0

  init(length: Int64, of points: Points) {
    (self.length, self.points) = (length, points)
    ahead = self.points.next()
  }

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

/// The first maximum or minimum of a window whose ends only move forward. It stores the values that can still become
/// the extreme, so each value is checked a fixed number of times.
struct SlidingExtreme {
  let isHighest: Bool
  private var candidates: [(position: Int, value: Double)] = []
  private var start = 0
  init(isHighest: Bool) { self.isHighest = isHighest }

  mutating func add(_ value: Double, at position: Int) {
    while candidates.count > start {
      let last = candidates[candidates.count - 1].value
      guard isHighest ? last < value : last > value else { break }
      candidates.removeLast()
    }
    candidates.append((position, value))
  }

  mutating func forget(before position: Int) {
    while start < candidates.count, candidates[start].position < position { start += 1 }
    if start > 256 {
      candidates.removeFirst(start)
      start = 0
    }
  }

  var first: (position: Int, value: Double)? { start < candidates.count ? candidates[start] : nil }
}
