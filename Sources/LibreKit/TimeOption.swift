// SPDX-License-Identifier: Apache-2.0
public import CGMModel
public import HostSystem

extension TimeArgument {
  /// Parses the start or end of a range from the value of `option`.
  ///
  /// - Throws: `LibreError.configuration(.badOption)` with all forms.
  public init(_ text: String, of option: String, now: Instant) throws(LibreError) {
    guard let time = TimeArgument(text, now: now) else {
      throw .configuration(.badOption(name: option, value: text, allowed: "\(Self.forms), or all"))
    }
    self = time
  }

  /// Parses a single time from the value of `option`. A day means its first second.
  ///
  /// - Throws: `LibreError.configuration(.badOption)` for an unknown form and for `all`; with `isPast` for a time
  ///   in the future, and with `isTimeOfDay` for a day.
  public static func moment(
    _ text: String, of option: String, now: Instant, isPast: Bool = false, isTimeOfDay: Bool = false
  ) throws(LibreError) -> Instant {
    guard let argument = TimeArgument(text, now: now), let moment = argument.first else {
      throw .configuration(.badOption(name: option, value: text, allowed: forms))
    }
    if isTimeOfDay, argument.last != moment {
      let example = LocalTime.minuteText(moment).prefix(10)
      throw .configuration(
        .badOption(
          name: option, value: text, allowed: "a time of day too, such as \(example)T12:20, or 12:20 for today"))
    }
    if isPast, moment > now {
      throw .configuration(
        .badOption(name: option, value: text, allowed: "a time that is not after now, \(LocalTime.text(now))"))
    }
    return moment
  }
}
