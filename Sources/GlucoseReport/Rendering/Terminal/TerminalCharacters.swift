// SPDX-License-Identifier: Apache-2.0

/// Character set of a terminal.
package enum TerminalCharacters: Hashable, Sendable, CaseIterable {
  /// Blocks, lines and braille, each one cell wide.
  case unicode
  case ascii

  /// Number of dots in a cell.
  var dotsAcross: Int { self == .unicode ? 2 : 1 }
  var dotsDown: Int { self == .unicode ? 4 : 1 }

  /// Dash between the two ends of a span.
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
