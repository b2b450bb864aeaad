// SPDX-License-Identifier: Apache-2.0

package struct TerminalLine: Hashable, Sendable {
  package struct Run: Hashable, Sendable {
    package let color: TerminalColor
    package let text: String
  }

  package let runs: [Run]
  package var text: String { runs.map(\.text).joined() }

  /// Each character takes one cell. Colour is invisible on a space, which joins the run before it, or the first run.
  init(_ cells: [TerminalCell]) {
    let last = cells.lastIndex { $0.character != " " } ?? -1
    var runs: [Run] = []
    var text = ""
    var color = cells.first { $0.character != " " }?.color ?? .plain
    for cell in cells.prefix(last + 1) {
      if cell.color != color, cell.character != " " {
        runs.append(Run(color: color, text: text))
        (text, color) = ("", cell.color)
      }
      text.append(cell.character)
    }
    if !text.isEmpty { runs.append(Run(color: color, text: text)) }
    self.runs = runs
  }
}

struct TerminalCell: Hashable, Sendable {
  var character: Character
  var color: TerminalColor

  static let space = TerminalCell(character: " ", color: .plain)

  static func text(_ text: String, _ color: TerminalColor) -> [TerminalCell] {
    text.map { TerminalCell(character: $0, color: color) }
  }
}

/// Meaning of a part of a terminal chart. The program picks the colours; shape and letters carry the same information.
/// `dim` is for explanations, `low`, `inRange` and `high` for values, `band` for the lines at the limits of the range.
package enum TerminalColor: Hashable, Sendable, CaseIterable {
  case plain, dim, low, inRange, high, axis, band

  init(_ value: Double) {
    self = value < DailyStatistics.range.lowerBound ? .low : value > DailyStatistics.range.upperBound ? .high : .inRange
  }
}

package enum TerminalCharacters: Hashable, Sendable, CaseIterable {
  case unicode, ascii

  var dotsAcross: Int { self == .unicode ? 2 : 1 }
  var dotsDown: Int { self == .unicode ? 4 : 1 }
  var dash: String { self == .unicode ? "–" : "-" }
  var upright: Character { self == .unicode ? "│" : "|" }
  var uprightTick: Character { self == .unicode ? "┤" : "+" }
  var corner: Character { self == .unicode ? "└" : "+" }
  var level: Character { self == .unicode ? "─" : "-" }
  var levelTick: Character { self == .unicode ? "┬" : "+" }
  /// Mark of a finger-stick, which no line of values contains.
  var fingerStick: Character { self == .unicode ? "◆" : "o" }
  var missing: Character { self == .unicode ? "·" : " " }

  /// Steps of a sparkline, from low to high: two below range, four in range, two above. So lows are visible by shape.
  var steps: [Character] { Array(self == .unicode ? "▁▂▃▄▅▆▇█" : "Ll_-=^hH") }

  /// Returns a cell with the given dots, numbered from the cell's lower left, row by row upwards.
  func cell(_ bits: Int) -> Character {
    guard self == .unicode else { return "*" }
    // Braille numbers its dots down the left column, down the right column, with the lowest row last (Unicode, U+2800).
    let order = [0x40, 0x80, 0x04, 0x20, 0x02, 0x10, 0x01, 0x08]
    let pattern = order.indices.reduce(0) { bits >> $1 & 1 == 1 ? $0 | order[$1] : $0 }
    return Unicode.Scalar(UInt32(0x2800 + pattern)).map(Character.init) ?? "*"
  }

  /// Returns the limits of the range in a cell without values; dotted, to differ from a line of values.
  func limit(isUpper: Bool, isLower: Bool, column: Int) -> Character {
    guard self == .unicode else { return column.isMultiple(of: 2) ? "-" : " " }
    return cell((isUpper ? 1 << 6 : 0) | (isLower ? 1 : 0))
  }
}
