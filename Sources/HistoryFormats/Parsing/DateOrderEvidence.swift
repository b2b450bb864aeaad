// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// What all dates of a file together say about the order of day and month.
///
/// A part above 12 is a day. Where no date has one, days that only go forwards, or only backwards, within each group of
/// rows in one order, and to and fro in the other, tell the order too.
struct DateOrderEvidence {
  private struct Course {
    var previous: Instant?
    var goesForwards = false
    var goesBackwards = false

    var isSteady: Bool { !(goesForwards && goesBackwards) }

    mutating func add(_ day: Instant?) {
      if let previous, let day {
        if day > previous { goesForwards = true }
        if day < previous { goesBackwards = true }
      }
      previous = day
    }
  }

  private var example: String?
  private var dayFirstLine: Int?
  private var monthFirstLine: Int?
  private var group: String?
  private var dayFirst = Course()
  private var monthFirst = Course()

  /// Adds the date of a row. `group` is the same for neighbouring rows that were written one after the other.
  mutating func add(_ date: LocalDate, text: String, line: Int, group: String) {
    guard !date.isYearFirst else { return }
    if example == nil { example = text }
    if date.parts[0] > 12, dayFirstLine == nil { dayFirstLine = line }
    if date.parts[1] > 12, monthFirstLine == nil { monthFirstLine = line }
    if group != self.group {
      self.group = group
      dayFirst.previous = nil
      monthFirst.previous = nil
    }
    dayFirst.add(Self.day(date, .dayFirst))
    monthFirst.add(Self.day(date, .monthFirst))
  }

  /// The order of the whole file. Throws `ambiguousDates` if it does not show, `badLine` if it has both.
  func order() throws(HistoryError) -> ImportOptions.DateOrder {
    guard let example else { return .yearFirst }
    switch (dayFirstLine, monthFirstLine) {
    case (let day?, let month?):
      throw .badLine(max(day, month), "day and month stand in another order than on line \(min(day, month))")
    case (_?, nil): return .dayFirst
    case (nil, _?): return .monthFirst
    case (nil, nil): break
    }
    switch (dayFirst.isSteady, monthFirst.isSteady) {
    case (true, false): return .dayFirst
    case (false, true): return .monthFirst
    default: throw .ambiguousDates(example: SafeText.quoted(example))
    }
  }

  /// Midnight: the hour that comes twice when summer time ends says nothing about days.
  private static func day(_ date: LocalDate, _ order: ImportOptions.DateOrder) -> Instant? {
    guard let time = date.civilTime(order) else { return nil }
    return CivilTime(year: time.year, month: time.month, day: time.day)?.instant(offsetSeconds: 0)
  }
}
