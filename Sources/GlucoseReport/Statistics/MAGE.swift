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

  /// Returns MAGE in mg/dL; nil without excursions. `grid` has steps of 5 minutes.
  static func value(_ grid: UniformGrid) -> Double? {
    let points = grid.points
    var (sum, weights) = (0.0, 0.0)
    var start = 0
    while start < points.count {
      var end = start + 1
      while end < points.count, points[end].index - points[end - 1].index <= maximumGap { end += 1 }
      let weight = Double(points[end - 1].index - points[start].index)
      for mean in excursions(points, start..<end) {
        sum += weight * mean
        weights += weight
      }
      start = end
    }
    return weights > 0 ? sum / weights : nil
  }

  /// Returns the mean height of a piece's rises and that of its falls, if it has any.
  private static func excursions(_ points: [UniformGrid.Point], _ piece: Range<Int>) -> [Double] {
    let steps = points[piece.upperBound - 1].index - points[piece.lowerBound].index + 1
    guard steps >= minimumSteps, let deviation = DailyStatistics(points[piece].map(\.value))?.standardDeviation,
      deviation >= minimumDeviation
    else { return [] }
    let turns = turningPoints(points, piece)
    return [meanRise(turns, over: deviation), meanRise(turns.map { -$0 }, over: deviation)].compactMap(\.self)
  }

  private static func turningPoints(_ points: [UniformGrid.Point], _ piece: Range<Int>) -> [Double] {
    let (first, last) = (points[piece.lowerBound].index, points[piece.upperBound - 1].index)
    // The first full averages also apply to the steps before them.
    let (firstShort, firstLong) = (min(first + short - 1, last), min(first + long - 1, last))
    var shortAverage = MovingAverage(length: short, from: piece.lowerBound)
    var longAverage = MovingAverage(length: long, from: piece.lowerBound)
    var turns: [Double] = []
    var peaks = SlidingExtreme(isHighest: true)
    var nadirs = SlidingExtreme(isHighest: false)
    // Last difference of the averages that was not zero; its sign decides whether a peak is searched.
    var side = 0.0
    func turn() {
      guard let position = side > 0 ? peaks.first : nadirs.first else { return }
      turns.append(points[position].value)
      peaks.forget(before: position)
      nadirs.forget(before: position)
    }
    var next = piece.lowerBound
    for index in first...last {
      if points[next].index == index {
        peaks.add(next, in: points)
        nadirs.add(next, in: points)
        next += 1
      }
      shortAverage.move(to: max(index, firstShort), in: points)
      longAverage.move(to: max(index, firstLong), in: points)
      guard !shortAverage.isEmpty, !longAverage.isEmpty else { continue }
      // Relative to a value in the window, so that averages of equal values differ by exactly zero.
      let origin = points[longAverage.start].value
      let difference = shortAverage.excess(over: origin, in: points) - longAverage.excess(over: origin, in: points)
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
