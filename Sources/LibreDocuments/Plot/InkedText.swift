// SPDX-License-Identifier: Apache-2.0
import GlucoseReport
import LibreKit

extension Style {
  /// A line of a picture with its colours.
  func text(_ line: TerminalLine) -> String { line.runs.map { colored($0.text, $0.color) }.joined() }

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
