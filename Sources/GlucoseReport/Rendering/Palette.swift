// SPDX-License-Identifier: Apache-2.0

/// Colours of a report, chosen for all kinds of colour vision; letters, patterns and positions repeat the same
/// information.
package enum Palette: String, CaseIterable {
  case page, card, text, soft, rule, grid
  case veryLow, low, within, high, veryHigh
  /// Text on `low` and the other areas.
  case onVeryLow, onLow, onWithin, onHigh, onVeryHigh
  /// Lines of values: darker than areas, to be visible on a card.
  case lowLine, withinLine, highLine
  /// The target range, the profile's bands, and limits.
  case target, outer, inner, limit
  case warning, warningText

  package var light: String {
    switch self {
    case .page: "#f4f6f8"
    case .card: "#ffffff"
    case .text: "#16202b"
    case .soft: "#52606d"
    case .rule: "#dde3e9"
    case .grid: "#e3e8ed"
    case .veryLow: "#6b1749"
    case .low: "#b23a7d"
    case .within: "#0f7b66"
    case .high: "#f0b429"
    case .veryHigh: "#b65a00"
    case .onVeryLow, .onLow, .onWithin, .onVeryHigh: "#ffffff"
    case .onHigh: "#2b1d00"
    case .lowLine: "#b23a7d"
    case .withinLine: "#0f7b66"
    case .highLine: "#b96d00"
    case .target: "#e8f4f0"
    case .outer: "#c3d5e8"
    case .inner: "#86aed4"
    case .limit: "#0f7b66"
    case .warning: "#fff4d6"
    case .warningText: "#6a4800"
    }
  }

  package var dark: String {
    switch self {
    case .page: "#10161d"
    case .card: "#18212b"
    case .text: "#e8edf2"
    case .soft: "#a3b0bd"
    case .rule: "#2c3844"
    case .grid: "#2a3541"
    case .veryLow: "#8e2a66"
    case .low: "#d873ad"
    case .within: "#2fa58c"
    case .high: "#f2c14e"
    case .veryHigh: "#e08a2e"
    case .onVeryLow: "#ffffff"
    case .onLow, .onWithin, .onHigh, .onVeryHigh: "#0b1015"
    case .lowLine: "#e887bd"
    case .withinLine: "#45c2a6"
    case .highLine: "#f2b84e"
    case .target: "#1a312f"
    case .outer: "#2b4560"
    case .inner: "#47739f"
    case .limit: "#45c2a6"
    case .warning: "#3a2f12"
    case .warningText: "#f6dc9a"
    }
  }

  /// CSS variable of the colour; a page has two sets of them.
  package var variable: String { "var(--\(rawValue))" }

  /// Returns the CSS declarations of all colours: `--page:#f4f6f8;…`
  package static func variables(_ colour: (Palette) -> String) -> String {
    allCases.map { "--\($0.rawValue):\(colour($0));" }.joined()
  }
}
