// SPDX-License-Identifier: Apache-2.0

/// What a terminal can show.
public enum TerminalCharacters: Hashable, Sendable, CaseIterable {
  /// Blocks, lines and braille, each one cell wide.
  case unicode
  case ascii

  /// Dots in a cell.
  var dotsAcross: Int { self == .unicode ? 2 : 1 }
  var dotsDown: Int { self == .unicode ? 4 : 1 }

  /// Between two ends.
  var dash: String { self == .unicode ? "–" : "-" }

  var upright: Character { self == .unicode ? "│" : "|" }
  var uprightTick: Character { self == .unicode ? "┤" : "+" }
  var corner: Character { self == .unicode ? "└" : "+" }
  var level: Character { self == .unicode ? "─" : "-" }
  var levelTick: Character { self == .unicode ? "┬" : "+" }
  var missing: Character { self == .unicode ? "·" : " " }

  /// Steps of a sparkline, from low to high: two below range, four in it, two above. So a low is told by its shape.
  var steps: [Character] { Array(self == .unicode ? "▁▂▃▄▅▆▇█" : "Ll_-=^hH") }

  /// A cell with the dots of a bit set: the bits are numbered from the cell's lower left, row by row upwards.
  func cell(_ bits: Int) -> Character {
    guard self == .unicode else { return "*" }
    // Braille numbers its dots down the left column, down the right one, and the lowest row last (Unicode, U+2800).
    let order = [0x40, 0x80, 0x04, 0x20, 0x02, 0x10, 0x01, 0x08]
    let pattern = order.indices.reduce(0) { bits >> $1 & 1 == 1 ? $0 | order[$1] : $0 }
    return Unicode.Scalar(UInt32(0x2800 + pattern)).map(Character.init) ?? "*"
  }

  /// The limits of the range in a cell without values; dotted, so that no line of values looks like it.
  func limit(isUpper: Bool, isLower: Bool, column: Int) -> Character {
    guard self == .unicode else { return column.isMultiple(of: 2) ? "-" : " " }
    return cell((isUpper ? 1 << 6 : 0) | (isLower ? 1 : 0))
  }
}
