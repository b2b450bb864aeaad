// SPDX-License-Identifier: Apache-2.0
package import HostSystem
package import LibreKit

extension TimeArgument {
  /// Parses the start or end of a range from the value of `option`. The error has all forms.
  package init(_ text: String, of option: String, now: Instant) throws(LibreError) {
    guard let time = TimeArgument(text, now: now) else {
      throw .configuration(Self.bad(text, option, allowed: "\(Self.forms), or all", now: now))
    }
    self = time
  }

  /// Parses a single time from the value of `option`. A day means its first second.
  /// - Throws: `badOption` for an unknown form and for `all`; with `isPast` for a time in the future, and with
  ///   `isTimeOfDay` for a day.
  package static func moment(
    _ text: String, of option: String, now: Instant, isPast: Bool = false, isTimeOfDay: Bool = false
  ) throws(LibreError) -> Instant {
    guard let argument = TimeArgument(text, now: now), let moment = argument.first else {
      throw .configuration(bad(text, option, allowed: forms, now: now))
    }
    func isNot(_ wanted: String) -> LibreError {
      .configuration(.badOption(name: option, value: text, allowed: wanted))
    }
    if isTimeOfDay, argument.last != moment {
      let example = LocalTime.minuteText(moment).prefix(10)
      throw isNot("a time of day too, such as \(example)T12:20, or 12:20 for today")
    }
    if isPast, moment > now { throw isNot("a time that is not after now, \(LocalTime.text(now))") }
    return moment
  }

  private static func bad(_ text: String, _ option: String, allowed: String, now: Instant) -> ConfigurationError {
    guard isSkipped(text, now: now) else { return .badOption(name: option, value: text, allowed: allowed) }
    let zone = LocalTime.zoneName.map { "the clock of \($0)" } ?? "the local clock"
    return .badOption(name: option, value: text, allowed: "another time, because \(zone) skips that hour on that day")
  }
}

extension Program {
  /// The moment at which an export, a report or statistics are made: now, or what `SOURCE_DATE_EPOCH` says
  /// (reproducible-builds.org), so that the same history always gives the same bytes.
  /// - Throws: `configuration(badOption)` for a variable that is not a time.
  package static func documentTime(_ environment: [String: String]) throws(LibreError) -> Instant {
    let name = "SOURCE_DATE_EPOCH"
    guard let text = environment[name], !text.isEmpty else { return LocalTime.now }
    guard let seconds = Int64(text), Instant.writable.contains(Instant(secondsSince1970: seconds)) else {
      throw .configuration(.badOption(name: name, value: text, allowed: "whole seconds since 1970, or unset it"))
    }
    return Instant(secondsSince1970: seconds)
  }
}
