// SPDX-License-Identifier: Apache-2.0
import GlucoseReport
package import SensorHistory
import TextFormats

/// The latest value as one line for a status bar, in the bar's own formatting.
///
/// | bar | line | source of the form |
/// |---|---|---|
/// | `waybar` | `{"text":"104 ↗","alt":"FortyFiveUp","tooltip":"…","class":"ok"}` | waybar-custom(5), `return-type` json |
/// | `polybar` | `%{F#e5534b}62 ↓%{F-}` | polybar's formatting tags |
/// | `tmux` | `#[fg=red]62 ↓#[default]` | tmux(1), STYLES |
///
/// The line itself consists of numbers, an arrow and fixed words, which no bar interprets as formatting. Names from
/// elsewhere (a serial number, an imported source) are only in waybar's tooltip, which is Pango markup and escaped.
package enum LatestBar: String, Hashable, Sendable, CaseIterable {
  case waybar
  case polybar
  case tmux

  /// The class by which a bar styles a line; for waybar the CSS class.
  enum Level: String, CaseIterable {
    /// The value is under 70 mg/dL.
    case low
    case ok
    /// The value is over 180 mg/dL.
    case high
    case stale
    /// The store has no value.
    case none

    init(_ latest: LatestValue?) {
      guard let latest else {
        self = .none
        return
      }
      let value = latest.concentration.milligramsPerDecilitre
      let range = DailyStatistics.range
      self =
        latest.isStale ? .stale : value < range.lowerBound ? .low : value > range.upperBound ? .high : .ok
    }

    /// nil for a line without a colour of its own.
    var colors: (polybar: String, tmux: String)? {
      switch self {
      case .low: ("#e5534b", "red")
      case .ok: nil
      case .high: ("#d9a441", "yellow")
      case .stale, .none: ("#808080", "colour244")
      }
    }
  }

  /// The line, without its end. nil as the value means that the store has none, with `reason` in words.
  package func line(of latest: LatestValue?, unit: GlucoseUnit, reason: String = "") -> String {
    let level = Level(latest)
    let text = latest.map { Self.text(of: $0, unit) } ?? "no value"
    switch self {
    case .waybar:
      let lines = latest.map { LatestText.lines(of: $0, unit: unit) } ?? [reason]
      var json = JSONWriter(indented: false)
      json.object { json in
        json.member("text", Self.markup(text))
        json.member("alt", latest?.direction.rawValue ?? level.rawValue)
        json.member("tooltip", lines.map { Self.markup(SafeText.line($0)) }.joined(separator: "\n"))
        json.member("class", level.rawValue)
      }
      return String(decoding: json.bytes, as: UTF8.self)
    case .polybar:
      return level.colors.map { "%{F\($0.polybar)}\(text)%{F-}" } ?? text
    case .tmux:
      return level.colors.map { "#[fg=\($0.tmux)]\(text)#[default]" } ?? text
    }
  }

  private static func text(of latest: LatestValue, _ unit: GlucoseUnit) -> String {
    let value = "\(latest.mark)\(unit.shown(latest.concentration))"
    if latest.isStale {
      return "\(LatestText.stale) \(value), \(latest.ageMinutes.map(DurationText.ago) ?? "time unknown")"
    }
    return latest.direction == .notComputable ? value : "\(value) \(latest.direction.arrow)"
  }

  /// Text inside Pango markup.
  private static func markup(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
