// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// The vertical scale of a terminal chart: even steps, with both limits of the range between two rows, so that a letter
/// can mark each row. It spans at least 50 to 200 and at most −100 to 1000 mg/dL, less with few rows: values beyond are
/// drawn at the edge.
struct TerminalScale {
  let lowRows: Int
  let rangeRows: Int
  let highRows: Int
  /// Dots in a row.
  let dotsDown: Int
  let step: Double
  let isExceeded: Bool
  var rows: Int { lowRows + rangeRows + highRows }
  private var bottom: Double { DailyStatistics.range.lowerBound - Double(lowRows) * step }
  private var top: Double { DailyStatistics.range.upperBound + Double(highRows) * step }

  /// Creates a scale. `rows` is at least 4; the range takes at least two rows, one for each limit.
  init(lowest: Double, highest: Double, rows: Int, dotsDown: Int) {
    let range = DailyStatistics.range
    let below = range.lowerBound - max(-100, min(50, lowest))
    let above = min(1_000, max(200, highest)) - range.upperBound
    let width = range.upperBound - range.lowerBound
    func needed(_ distance: Double, _ rangeRows: Int) -> Int {
      // Slightly less, for a distance of whole rows that rounding makes slightly too long.
      max(1, Int(saturating: (distance * Double(rangeRows) / width - 1e-9).rounded(.up)))
    }
    var rangeRows = rows - 2
    while rangeRows > 2, needed(below, rangeRows) + rangeRows + needed(above, rangeRows) > rows { rangeRows -= 1 }
    self.rangeRows = rangeRows
    lowRows = min(needed(below, rangeRows), max(1, rows - rangeRows - needed(above, rangeRows)))
    highRows = rows - rangeRows - lowRows
    step = width / Double(rangeRows)
    self.dotsDown = dotsDown
    isExceeded =
      lowest < range.lowerBound - Double(lowRows) * step || highest > range.upperBound + Double(highRows) * step
  }

  /// Returns the dot of a value in mg/dL, counted from the bottom. The limits belong to the range.
  func dot(_ value: Double) -> Int {
    let range = DailyStatistics.range
    func place(_ distance: Double, _ rows: Int) -> Int {
      let last = rows * dotsDown - 1
      return Int(saturating: max(0, min(Double(last), distance / step * Double(dotsDown))))
    }
    if value < range.lowerBound { return place(value - bottom, lowRows) }
    if value > range.upperBound {
      return (lowRows + rangeRows) * dotsDown + place(value - range.upperBound, highRows)
    }
    return lowRows * dotsDown + place(value - range.lowerBound, rangeRows)
  }

  func color(ofRow row: Int) -> TerminalColor { row < lowRows ? .low : row < lowRows + rangeRows ? .inRange : .high }
  func isLower(_ row: Int) -> Bool { row == lowRows }
  func isUpper(_ row: Int) -> Bool { row == lowRows + rangeRows - 1 }

  /// Returns labels of rows: both limits, and round numbers where there is space.
  func labels(_ unit: GlucoseUnit) -> [Int: String] {
    let range = DailyStatistics.range
    var labels = [lowRows + rangeRows - 1: unit.text(range.upperBound), lowRows: unit.text(range.lowerBound)]
    let one = unit == .milligramsPerDecilitre ? 1 : GlucoseConcentration(millimolesPerLitre: 1).milligramsPerDecilitre
    let spacings = (unit == .milligramsPerDecilitre ? [10, 20, 50, 100, 200] : [0.5, 1, 2, 5, 10]).map { $0 * one }
    let spacing = spacings.first { $0 >= 3 * step } ?? 500
    var number = (bottom / spacing).rounded(.up)
    while number * spacing <= top {
      let row = dot(number * spacing) / dotsDown
      if !(row - 1...row + 1).contains(where: { labels[$0] != nil }) { labels[row] = unit.text(number * spacing) }
      number += 1
    }
    return labels
  }
}
