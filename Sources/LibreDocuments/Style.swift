// SPDX-License-Identifier: Apache-2.0
package import GlucoseReport

/// Colour on a terminal. Text always has the same meaning without colour.
package struct Style: Sendable {
  package let isColored: Bool

  package init(isColored: Bool) { self.isColored = isColored }

  package func bold(_ text: String) -> String { wrap(text, "1") }
  package func dim(_ text: String) -> String { wrap(text, "2") }
  package func good(_ text: String) -> String { wrap(text, "32") }
  package func warning(_ text: String) -> String { wrap(text, "33") }
  package func bad(_ text: String) -> String { wrap(text, "31") }

  private func wrap(_ text: String, _ code: String) -> String {
    isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}

extension Style {
  package func text(_ line: TerminalLine) -> String { line.runs.map { colored($0.text, $0.color) }.joined() }

  private func colored(_ text: String, _ color: TerminalColor) -> String {
    switch color {
    case .plain: text
    case .dim, .axis, .band: dim(text)
    case .low: bad(text)
    case .inRange: good(text)
    case .high: warning(text)
    }
  }
}
