// SPDX-License-Identifier: Apache-2.0
import GlucoseReport
import LibreKit

extension Style {
  /// A line of a picture in its colours.
  func text(_ line: TerminalLine) -> String { line.runs.map { inked($0.text, $0.color) }.joined() }

  private func inked(_ text: String, _ color: TerminalColor) -> String {
    switch color {
    case .plain: text
    case .dim, .axis, .band: dim(text)
    case .low: bad(text)
    case .inRange: good(text)
    case .high: warning(text)
    }
  }
}
