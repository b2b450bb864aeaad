// SPDX-License-Identifier: Apache-2.0
public import CGMModel
import GlucoseReport
public import LibreKit
import TextFormats

/// The latest value as one line for a status bar, in the bar's own formatting.
///
/// | bar | line | source of the form |
/// |---|---|---|
/// | `waybar` | `{"text":"104 ↗","alt":"FortyFiveUp","tooltip":"…","class":"ok"}` | waybar-custom(5), `return-type` json |
/// | `polybar` | `%{F#e5534b}62 ↓%{F-}` | polybar's formatting tags |
/// | `tmux` | `#[fg=red]62 ↓#[default]` | tmux(1), STYLES |
///
/// The line itself is made of numbers, an arrow and words of libre, none of which any bar takes for formatting. Names that
/// others gave (a serial number, an imported source) stand only in waybar's tooltip, which is Pango markup and escaped.
public enum LatestBar: String, Hashable, Sendable, CaseIterable {
  case waybar
  case polybar
  case tmux

  /// What a bar can style a line by; for waybar the CSS class.
  enum Level: String, CaseIterable {
    /// The value is under 70 mg/dL.
    case low
    case ok
    /// Over 180 mg/dL.
    case high
    case stale
    /// There is no value.
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
  }

  /// The line, without its end; nil as the value stands for a store that has none, with `reason` in words.
  public func line(of latest: LatestValue?, unit: GlucoseUnit, reason: String = "") -> String {
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
      switch level {
      case .ok: return text
      case .low: return "%{F#e5534b}\(text)%{F-}"
      case .high: return "%{F#d9a441}\(text)%{F-}"
      case .stale, .none: return "%{F#808080}\(text)%{F-}"
      }
    case .tmux:
      switch level {
      case .ok: return text
      case .low: return "#[fg=red]\(text)#[default]"
      case .high: return "#[fg=yellow]\(text)#[default]"
      case .stale, .none: return "#[fg=colour244]\(text)#[default]"
      }
    }
  }

  private static func text(of latest: LatestValue, _ unit: GlucoseUnit) -> String {
    let value = "\(latest.mark)\(unit.shown(latest.concentration))"
    if latest.isStale {
      return "\(LatestText.stale) \(value), \(latest.ageMinutes.map(DurationText.ago) ?? "time not known")"
    }
    return latest.direction == .notComputable ? value : "\(value) \(latest.direction.arrow)"
  }

  /// Text inside Pango markup.
  private static func markup(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
