// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// Dots of a chart, counted from its lower left corner.
///
/// Each column stores only the ends of its strokes, so a stroke costs the same for any height. Values that share a
/// column are drawn as one stroke from the lowest to the highest.
struct TerminalDots {
  let columns: Int
  let rows: Int
  /// Number of strokes that begin at a dot, minus those that end below it.
  private var changes: [Int]

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    changes = Array(repeating: 0, count: columns * (rows + 1))
  }

  mutating func stroke(column: Int, from: Int, to: Int) {
    changes[column * (rows + 1) + min(from, to)] += 1
    changes[column * (rows + 1) + max(from, to) + 1] -= 1
  }

  /// Draws a line between two dots, the first not to the right of the second.
  mutating func join(_ first: (column: Int, row: Int), _ second: (column: Int, row: Int)) {
    guard first.column < second.column else {
      stroke(column: first.column, from: first.row, to: second.row)
      return
    }
    // In half dots: a column's stroke extends to the start of the next one.
    let run = 2 * (second.column - first.column)
    let rise = second.row - first.row
    func row(_ half: Int) -> Int {
      first.row + Int(saturating: (Double(rise * half) / Double(run)).rounded(.toNearestOrAwayFromZero))
    }
    for column in first.column...second.column {
      let middle = 2 * (column - first.column)
      stroke(column: column, from: row(max(0, middle - 1)), to: row(min(run, middle + 1)))
    }
  }

  /// Set dots, column by column upwards.
  var isSet: [[Bool]] {
    (0..<columns).map { column in
      var depth = 0
      return (0..<rows).map { row in
        depth += changes[column * (rows + 1) + row]
        return depth > 0
      }
    }
  }
}
