// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// A time as typed by the user, in the same forms for every option.
///
/// | text | meaning |
/// |---|---|
/// | `2024-05-02T10:15:00Z`, `…+02:00` | that time |
/// | `2024-05-02T10:15`, `2024-05-02 10:15:00` | that time in local time |
/// | `10:15` | that time today, in local time |
/// | `2024-05-02`, `yesterday`, `today` | the first second of the day, or as an end its last second, in local time |
/// | `1714644900`, `1714644900000` | seconds or milliseconds since 1970 |
/// | `-90m`, `-8h`, `-3d`, `-2w` | that long before now; `-90min` is `-90m` |
/// | `now` | now |
/// | `all` | unlimited, for a range |
///
/// Local time is that of the process, after `--time-zone` took effect.
package struct TimeArgument: Hashable, Sendable {
  /// The time as the start and as the end of a range; nil means unlimited.
  package let first: Instant?
  package let last: Instant?

  /// Parses a text; nil for an unknown form.
  package init?(_ text: String, now: Instant) {
    switch text {
    case "all": (first, last) = (nil, nil)
    case "now": (first, last) = (now, now)
    case "today", "yesterday":
      guard let today = Self.day(of: now),
        let day = text == "today" ? today : Self.day(of: today.first.adding(minutes: -1))
      else { return nil }
      (first, last) = (day.first, day.last)
    default:
      if let moment = Self.moment(text, now: now) {
        (first, last) = (moment, moment)
      } else if let civil = Self.civil(text + "T00:00:00"), let day = Self.day(of: civil) {
        (first, last) = (day.first, day.last)
      } else {
        return nil
      }
    }
  }

  /// The forms of a time, for help and messages.
  package static let forms =
    "2024-05-02T10:15:00Z, 2024-05-02T10:15, 10:15, 2024-05-02, today, yesterday, now, -90m, -8h, -3d, -2w, "
    + "seconds since 1970"

  /// The forms that have a time of day, for help.
  package static let timesOfDay =
    "2024-05-02T10:15:00Z, 2024-05-02T10:15, 10:15, now, -90m, -8h, -3d, seconds since 1970"

  /// True for a local time in the hour that the clock skips when summer time begins.
  package static func isSkipped(_ text: String, now: Instant) -> Bool {
    wall(text, now: now).map { LocalTime.instant(of: $0) == nil } ?? false
  }

  /// The local time in `10:15`, `2024-05-02T10:15` or `2024-05-02 10:15:00`.
  private static func wall(_ text: String, now: Instant) -> CivilTime? {
    switch text.utf8.count {
    case 5:
      guard let offset = LocalTime.offsetSeconds(at: now) else { return nil }
      let day = Instant(secondsSince1970: now.secondsSince1970 + Int64(offset)).rfc3339.prefix(10)
      return civil("\(day)T\(text):00")
    case 16: return civil(text + ":00")
    case 19: return civil(text)
    default: return nil
    }
  }

  private static func moment(_ text: String, now: Instant) -> Instant? {
    if let instant = Instant(rfc3339: text) { return instant }
    if let minutes = before(text) {
      let instant = now.adding(minutes: -minutes)
      return Instant.writable.contains(instant) ? instant : nil
    }
    if let wall = wall(text, now: now) { return LocalTime.instant(of: wall) }
    if let number = Int64(text) {
      if number < 0 { return nil }
      // Sensors exist since 2014; milliseconds since then, taken as seconds, would be years after 10000.
      let instant = Instant(secondsSince1970: number > 100_000_000_000 ? number / 1000 : number)
      return Instant.writable.contains(instant) && instant >= .firstSensor ? instant : nil
    }
    return nil
  }

  /// Returns the number of minutes in `-3d`.
  private static func before(_ text: String) -> Int? {
    guard text.hasPrefix("-") else { return nil }
    let units = [("min", 1), ("m", 1), ("h", 60), ("d", 1_440), ("w", 10_080)]
    for (unit, minutes) in units where text.hasSuffix(unit) {
      let digits = text.dropFirst().dropLast(unit.count)
      guard (1...6).contains(digits.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let number = Int(digits)
      else { continue }
      return number * minutes
    }
    return nil
  }

  /// Parses `2024-05-02T10:15:00`, with `T` or a space.
  private static func civil(_ text: String) -> CivilTime? {
    // The parser of RFC 3339 checks digits and separators; `Z` is only there to satisfy it.
    Instant(rfc3339: text + "Z").map { CivilTime($0) }
  }

  private static func day(of wall: CivilTime) -> (first: Instant, last: Instant)? {
    guard let first = beginning(of: wall) else { return nil }
    let noonTomorrow = first.adding(minutes: 36 * 60)
    guard let offset = LocalTime.offsetSeconds(at: noonTomorrow),
      let end = beginning(of: CivilTime(noonTomorrow, offsetSeconds: offset))
    else { return nil }
    return (first, Instant(secondsSince1970: end.secondsSince1970 - 1))
  }

  private static func day(of instant: Instant) -> (first: Instant, last: Instant)? {
    LocalTime.offsetSeconds(at: instant).flatMap { day(of: CivilTime(instant, offsetSeconds: $0)) }
  }

  /// Midnight, or the first time of the day if the clock skips midnight.
  private static func beginning(of day: CivilTime) -> Instant? {
    for hour in 0..<3 {
      let wall = CivilTime(year: day.year, month: day.month, day: day.day, hour: hour)
      if let moment = wall.flatMap(LocalTime.instant) { return moment }
    }
    return nil
  }
}
