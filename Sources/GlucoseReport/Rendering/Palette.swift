// SPDX-License-Identifier: Apache-2.0

/// Colours of a report for all kinds of colour vision; letters, patterns and positions repeat the same information.
package enum Palette: String, CaseIterable {
  case page, card, text, soft, rule, grid
  case veryLow, low, within, high, veryHigh
  case onVeryLow, onLow, onWithin, onHigh, onVeryHigh
  /// Lines of values: darker than areas, to be visible on a card.
  case lowLine, withinLine, highLine
  case target, outer, inner, limit
  case warning, warningText

  package var light: String { colours.light }
  package var dark: String { colours.dark }

  private var colours: (light: String, dark: String) {
    switch self {
    case .page: ("#f4f6f8", "#10161d")
    case .card: ("#ffffff", "#18212b")
    case .text: ("#16202b", "#e8edf2")
    case .soft: ("#52606d", "#a3b0bd")
    case .rule: ("#dde3e9", "#2c3844")
    case .grid: ("#e3e8ed", "#2a3541")
    case .veryLow: ("#6b1749", "#8e2a66")
    case .low: ("#b23a7d", "#d873ad")
    case .within: ("#0f7b66", "#2fa58c")
    case .high: ("#f0b429", "#f2c14e")
    case .veryHigh: ("#b65a00", "#e08a2e")
    case .onVeryLow: ("#ffffff", "#ffffff")
    case .onLow, .onWithin, .onVeryHigh: ("#ffffff", "#0b1015")
    case .onHigh: ("#2b1d00", "#0b1015")
    case .lowLine: ("#b23a7d", "#e887bd")
    case .withinLine, .limit: ("#0f7b66", "#45c2a6")
    case .highLine: ("#b96d00", "#f2b84e")
    case .target: ("#e8f4f0", "#1a312f")
    case .outer: ("#c3d5e8", "#2b4560")
    case .inner: ("#86aed4", "#47739f")
    case .warning: ("#fff4d6", "#3a2f12")
    case .warningText: ("#6a4800", "#f6dc9a")
    }
  }

  package var variable: String { "var(--\(rawValue))" }

  package static func variables(_ colour: (Palette) -> String) -> String {
    allCases.map { "--\($0.rawValue):\(colour($0));" }.joined()
  }
}
