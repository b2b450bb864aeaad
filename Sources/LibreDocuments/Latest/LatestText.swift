// SPDX-License-Identifier: Apache-2.0
public import CGMModel
public import GlucoseReport
import HostSystem
public import LibreKit
import TextFormats

/// The latest value for people.
public enum LatestText {
  /// What stands before a value that is not the present one.
  static let stale = "STALE"

  /// Lines, each with its line end. `history` is that of the eight hours before, for a picture, whose steps `smoothing`
  /// evens out.
  public static func text(
    of latest: LatestValue, history: GlucoseHistory? = nil, unit: GlucoseUnit, style: Style,
    characters: TerminalCharacters = .unicode, smoothing: Smoothing? = nil
  ) -> String {
    let head = head(of: latest, unit: unit, style: style)
    let facts = facts(of: latest, unit: unit).map { "  \($0)" }
    let picture = latest.entry.time.flatMap { time in
      history.map { history in
        Sparkline(
          history.points, to: time, unit: unit, clock: history.clock, characters: characters, smoothing: smoothing
        ).lines.map(style.text)
      }
    }
    return ([head] + facts + [""] + (picture.map { $0 + [""] } ?? []) + [Program.disclaimer])
      .joined(separator: "\n") + "\n"
  }

  /// The same without colour, picture and disclaimer.
  static func lines(of latest: LatestValue, unit: GlucoseUnit) -> [String] {
    [head(of: latest, unit: unit, style: Style(isColored: false))] + facts(of: latest, unit: unit)
  }

  /// The value in both units, and its age.
  private static func head(of latest: LatestValue, unit: GlucoseUnit, style: Style) -> String {
    let other: GlucoseUnit = unit == .milligramsPerDecilitre ? .millimolesPerLitre : .milligramsPerDecilitre
    let value = "\(latest.mark)\(unit.shown(latest.concentration)) \(unit.rawValue)"
    let also = "(\(latest.mark)\(other.shown(latest.concentration)) \(other.rawValue))"
    let age = latest.ageMinutes.map(DurationText.ago) ?? "time not known"
    let when = [age, latest.entry.time.map(LocalTime.text)].compactMap(\.self).joined(separator: ", ")
    return latest.isStale
      ? "\(style.warning(stale))  \(value)  \(also)  \(when)"
      : "\(style.bold("\(value) \(latest.direction.arrow)"))  \(also)  \(when)"
  }

  private static func facts(of latest: LatestValue, unit: GlucoseUnit) -> [String] {
    [change(latest, unit), whose(latest)].compactMap(\.self)
  }

  private static func change(_ latest: LatestValue, _ unit: GlucoseUnit) -> String? {
    let change = latest.change.map { "\(unit.shown(change: $0)) \(unit.rawValue) in 15 min" }
    let rate = latest.ratePerMinute.map { "\(unit.shown(ratePerMinute: $0)) \(unit.rawValue) a minute" }
    let parts = [change, rate].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private static func whose(_ latest: LatestValue) -> String? {
    switch latest.entry {
    case .sensor(let stored):
      let name = SensorNames.title(stored.sensor)
      let end = latest.condition?.endsAt.map { end in
        latest.condition?.state == .active || latest.condition?.state == .warmingUp
          ? ", ends \(LocalTime.text(end))" : ", its history ended \(LocalTime.text(end))"
      }
      return "\(name): \(latest.condition?.words ?? "state not known")\(end ?? "")"
    case .imported(let imported):
      return SensorNames.title(imported)
    case .fingerStick: return nil
    }
  }
}

extension GlucoseUnit {
  /// With its sign, and as many decimals as a slow change needs.
  func shown(ratePerMinute rate: Double) -> String {
    let change = GlucoseConcentration(milligramsPerDecilitre: rate)
    let text =
      switch self {
      case .milligramsPerDecilitre: DecimalText.fixed(change.milligramsPerDecilitre, places: 2)
      case .millimolesPerLitre: DecimalText.fixed(change.millimolesPerLitre, places: 3)
      }
    return text.hasPrefix("-") ? text : "+" + text
  }
}
