// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// A date and a time of day without a zone, as written by exports, with an unknown order of day and month.
///
/// | text | |
/// |---|---|
/// | `02-05-2024 12:15`, `02.05.2024 12:15:30` | day or month first |
/// | `05/02/2024 12:15 PM`, `5/2/2024 1:05 pm` | the same, with twelve hours |
/// | `2024-05-02T12:15:00`, `2024-05-02 12:15:00.123` | year first; a fraction of a second is ignored |
struct LocalDate: Hashable {
  let parts: [Int]
  let hour: Int
  let minute: Int
  let second: Int

  /// True if the order is known.
  let isYearFirst: Bool

  init?(_ text: String) {
    var rest = Array(text.utf8)[...]
    guard let first = Self.number(&rest, digits: 1...4), let separator = rest.popFirst(),
      "-/.".utf8.contains(separator), let second = Self.number(&rest, digits: 1...2), rest.popFirst() == separator
    else { return nil }
    isYearFirst = first > 31
    guard let third = Self.number(&rest, digits: isYearFirst ? 1...2 : 4...4),
      let gap = rest.popFirst(), "T ".utf8.contains(gap)
    else { return nil }
    parts = [first, second, third]
    guard let time = Self.time(&rest), rest.isEmpty else { return nil }
    (hour, minute, self.second) = time
  }

  /// Returns the date and time with day, month and year in this order; nil for an impossible date, and if the year is
  /// at another place.
  func civilTime(_ order: ImportOptions.DateOrder) -> CivilTime? {
    let year, month, day: Int
    switch isYearFirst ? .yearFirst : order {
    case .dayFirst: (day, month, year) = (parts[0], parts[1], parts[2])
    case .monthFirst: (month, day, year) = (parts[0], parts[1], parts[2])
    case .yearFirst: (year, month, day) = (parts[0], parts[1], parts[2])
    }
    // Clocks that were never set write the year 1 or 1900, which is not a time.
    guard year >= 1970 else { return nil }
    return CivilTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
  }

  /// Reads hours and minutes, optional seconds, optional AM or PM.
  private static func time(_ rest: inout ArraySlice<UInt8>) -> (hour: Int, minute: Int, second: Int)? {
    guard var hour = number(&rest, digits: 1...2), rest.popFirst() == UInt8(ascii: ":"),
      let minute = number(&rest, digits: 2...2)
    else { return nil }
    var second = 0
    if rest.first == UInt8(ascii: ":") {
      rest.removeFirst()
      guard let seconds = number(&rest, digits: 2...2) else { return nil }
      second = seconds
      if rest.first == UInt8(ascii: ".") {
        rest = rest.dropFirst()
        guard number(&rest, digits: 1...9) != nil else { return nil }
      }
    }
    guard !rest.isEmpty else { return (hour, minute, second) }
    let half = String(decoding: rest, as: UTF8.self).lowercased().filter { $0 != " " }
    if half == "am" || half == "pm" {
      guard (1...12).contains(hour) else { return nil }
      hour = hour % 12 + (half == "pm" ? 12 : 0)
      rest = []
    }
    return (hour, minute, second)
  }

  private static func number(_ rest: inout ArraySlice<UInt8>, digits: ClosedRange<Int>) -> Int? {
    let text = rest.prefix(while: { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    guard digits.contains(text.count) else { return nil }
    rest = rest.dropFirst(text.count)
    return text.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }
}
