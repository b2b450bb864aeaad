// SPDX-License-Identifier: Apache-2.0

/// A character and what it stands for.
struct TerminalCell: Hashable, Sendable {
  var character: Character
  var ink: Ink

  static let blank = TerminalCell(character: " ", ink: .plain)

  static func text(_ text: String, _ ink: Ink) -> [TerminalCell] { text.map { TerminalCell(character: $0, ink: ink) } }
}
