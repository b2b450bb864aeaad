// SPDX-License-Identifier: Apache-2.0

/// A line for the terminal, in runs of one colour, without trailing spaces or a line break.
package struct TerminalLine: Hashable, Sendable {
  package struct Run: Hashable, Sendable {
    package let color: TerminalColor
    package let text: String
  }

  package let runs: [Run]

  /// Text without colour.
  package var text: String { runs.map(\.text).joined() }

  /// Creates a line; each character takes one cell. Colour is invisible on a space, so it joins the run before it, or
  /// the first run.
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

/// A character and its meaning.
struct TerminalCell: Hashable, Sendable {
  var character: Character
  var color: TerminalColor

  static let space = TerminalCell(character: " ", color: .plain)

  static func text(_ text: String, _ color: TerminalColor) -> [TerminalCell] {
    text.map { TerminalCell(character: $0, color: color) }
  }
}
