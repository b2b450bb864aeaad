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
