// SPDX-License-Identifier: Apache-2.0

/// A calendar date and time of day, as written in RFC 3339, without Foundation.
///
/// The Gregorian calendar repeats every 400 years = 146 097 days; counting years from March puts the leap day last, so
/// that months need no table.
package struct CivilTime: Hashable, Sendable {
  package let year: Int
  /// 1…12
  package let month: Int
  /// 1…31
  package let day: Int
  package let hour: Int
  package let minute: Int
  package let second: Int

  /// The calendar date and time of day at UTC plus `offsetSeconds`.
  package init(_ instant: Instant, offsetSeconds: Int = 0) {
    let local = Int(instant.secondsSince1970) + offsetSeconds
    let (days, seconds) = local.floorDivided(by: 86_400)
    let (era, dayOfEra) = (days + 719_468).floorDivided(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    hour = seconds / 3_600
    minute = seconds / 60 % 60
    second = seconds % 60
  }

  /// A date and a time of day; nil if the calendar or the clock does not have it.
  package init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    guard (0...9999).contains(year), (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second),
      Self.daysSince1970(year: year, month: month, day: day) != nil
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  /// The moment at which a clock at UTC plus `offsetSeconds` shows this date and time.
  package func instant(offsetSeconds: Int) -> Instant {
    let days = Self.daysSince1970(year: year, month: month, day: day) ?? 0
    return Instant(secondsSince1970: Int64(days * 86_400 + hour * 3_600 + minute * 60 + second - offsetSeconds))
  }

  /// Days from 1970-01-01 to a date; nil if the calendar does not have the date.
  static func daysSince1970(year: Int, month: Int, day: Int) -> Int? {
    guard (1...12).contains(month), (1...31).contains(day) else { return nil }
    let (era, yearOfEra) = (month <= 2 ? year - 1 : year).floorDivided(by: 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    let back = CivilTime(Instant(daysSince1970: days))
    return back.day == day && back.month == month ? days : nil
  }
}

extension CivilTime: CustomStringConvertible {
  /// The date and time without a zone: `2024-05-02T12:15:00`.
  package var description: String { String(instant(offsetSeconds: 0).rfc3339.dropLast()) }
}

extension FixedWidthInteger {
  /// The quotient rounded down, and the remainder, which is never negative, also for times before 1970.
  package func floorDivided(by divisor: Self) -> (quotient: Self, remainder: Self) {
    let remainder = (self % divisor + divisor) % divisor
    return ((self - remainder) / divisor, remainder)
  }
}
