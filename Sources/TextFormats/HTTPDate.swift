// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// A date in a header, in the three forms that RFC 9110 requires a reader to accept: `Sun, 06 Nov 1994 08:49:37 GMT`,
/// `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
package enum HTTPDate {
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
  private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let longDays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

  /// Parses a date; nil for anything else. A two-digit year is within fifty years from `now`, or in the past.
  package static func instant(_ text: String, now: Instant) -> Instant? {
    let words = text.split(separator: " ").map(String.init)
    switch words.count {
    case 6 where words[5] == "GMT" && days.contains { "\($0)," == words[0] }:
      return moment(day: words[1], month: words[2], year: number(words[3], digits: 4), time: words[4])
    case 4 where words[3] == "GMT" && longDays.contains { "\($0)," == words[0] }:
      let date = words[1].split(separator: "-").map(String.init)
      guard date.count == 3, let short = number(date[2], digits: 2) else { return nil }
      let thisYear = CivilTime(now).year
      let year = thisYear - thisYear % 100 + short
      return moment(day: date[0], month: date[1], year: year > thisYear + 50 ? year - 100 : year, time: words[2])
    case 5 where days.contains(words[0]):
      let day = words[2].utf8.count == 1 ? "0\(words[2])" : words[2]
      return moment(day: day, month: words[1], year: number(words[4], digits: 4), time: words[3])
    default: return nil
    }
  }

  /// Writes the form that RFC 9110 asks for: `Sun, 06 Nov 1994 08:49:37 GMT`.
  package static func text(_ instant: Instant) -> String {
    let civil = CivilTime(instant)
    // 1970-01-01 was a Thursday.
    let weekday = (Int(instant.secondsSince1970).floorDivided(by: 86_400).quotient + 3).floorDivided(by: 7).remainder
    let clock = [civil.hour, civil.minute, civil.second].map { padded($0, 2) }.joined(separator: ":")
    let date = "\(padded(civil.day, 2)) \(months[civil.month - 1]) \(padded(civil.year, 4))"
    return "\(days[weekday]), \(date) \(clock) GMT"
  }

  private static func padded(_ number: Int, _ width: Int) -> String { DecimalText.padded(String(number), to: width) }

  private static func moment(day: String, month: String, year: Int?, time: String) -> Instant? {
    let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { number(String($0), digits: 2) }
    guard clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2], let year,
      let day = number(day, digits: 2), let month = months.firstIndex(of: month),
      // A leap second counts as the second before it.
      let civil = CivilTime(
        year: year, month: month + 1, day: day, hour: hour, minute: minute, second: min(second, 59)), second <= 60
    else { return nil }
    return civil.instant(offsetSeconds: 0)
  }

  private static func number(_ text: String, digits: Int) -> Int? {
    let isNumber = text.utf8.count == digits && text.utf8.allSatisfy(\.isDigit)
    return isNumber ? Int(text) : nil
  }
}
