// SPDX-License-Identifier: Apache-2.0
package import GlucoseReport
import HostSystem
package import LibreDocuments
package import SensorHistory
import TextFormats

package enum LatestText {
  static let stale = "STALE"

  /// Lines, each with its line end. `history` of the last eight hours is drawn as a picture, smoothed by `smoothing`.
  /// `fingerStick` is one that was measured after the value.
  package static func text(
    of latest: LatestValue, history: GlucoseHistory? = nil, fingerStick: FingerStick? = nil, unit: GlucoseUnit,
    style: Style, characters: TerminalCharacters = .unicode, smoothing: Smoothing? = nil
  ) -> String {
    let head = head(of: latest, unit: unit, style: style)
    let stick = fingerStick.map {
      "finger-stick \(unit.shown($0.concentration)) \(unit.rawValue), \(LocalTime.text($0.time))"
    }
    let facts = ([stick].compactMap(\.self) + facts(of: latest, unit: unit)).map { "  \($0)" }
    let picture = latest.entry.time.flatMap { time in
      history.map { history in
        Sparkline(
          history.sparklinePoints, to: time, unit: unit, clock: history.clock, characters: characters,
          smoothing: smoothing
        ).lines.map(style.text)
      }
    }
    return ([head] + facts + [""] + (picture.map { $0 + [""] } ?? []) + [Program.disclaimer])
      .joined(separator: "\n") + "\n"
  }

  /// Lines without colour, picture and disclaimer.
  static func lines(of latest: LatestValue, unit: GlucoseUnit) -> [String] {
    [head(of: latest, unit: unit, style: Style(isColored: false))] + facts(of: latest, unit: unit)
  }

  private static func head(of latest: LatestValue, unit: GlucoseUnit, style: Style) -> String {
    let other: GlucoseUnit = unit == .milligramsPerDecilitre ? .millimolesPerLitre : .milligramsPerDecilitre
    let value = "\(latest.mark)\(unit.shown(latest.concentration)) \(unit.rawValue)"
    let also = "(\(latest.mark)\(other.shown(latest.concentration)) \(other.rawValue))"
    let age = latest.ageMinutes.map(DurationText.ago) ?? "time unknown"
    let when = [age, latest.entry.time.map(LocalTime.text)].compactMap(\.self).joined(separator: ", ")
    return latest.isStale
      ? "\(style.warning(stale))  \(value)  \(also)  \(when)"
      : "\(style.bold("\(value) \(latest.direction.arrow)"))  \(also)  \(when)"
  }

  private static func facts(of latest: LatestValue, unit: GlucoseUnit) -> [String] {
    [change(latest, unit), source(latest)].compactMap(\.self)
  }

  private static func change(_ latest: LatestValue, _ unit: GlucoseUnit) -> String? {
    let change = latest.change.map { "\(unit.shown(change: $0)) \(unit.rawValue) in 15 min" }
    let rate = latest.ratePerMinute.map { "\(unit.shown(ratePerMinute: $0)) \(unit.rawValue) per minute" }
    return change == nil && rate == nil ? nil : [change, rate].compactMap(\.self).joined(separator: ", ")
  }

  private static func source(_ latest: LatestValue) -> String? {
    switch latest.entry {
    case .sensor(let stored):
      let name = SensorNames.title(stored.sensor)
      let end = latest.condition?.endsAt.map { end in
        latest.condition?.state == .active || latest.condition?.state == .warmingUp
          ? ", ends \(LocalTime.text(end))" : ", its history ended \(LocalTime.text(end))"
      }
      return "\(name): \(latest.condition?.words ?? "state unknown")\(end ?? "")"
    case .imported(let imported): return SensorNames.title(imported)
    case .fingerStick, .bloodPressure: return nil
    }
  }
}
