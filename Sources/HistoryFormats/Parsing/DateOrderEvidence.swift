// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// The evidence in all dates of a file for the order of day and month.
///
/// A part above 12 is a day. If no date has one, the order is the one in which the days within each group of rows only
/// increase or only decrease, provided that they do neither in the other order.
struct DateOrderEvidence {
  private struct DayOrder {
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
  private var dayFirst = DayOrder()
  private var monthFirst = DayOrder()

  /// Adds the date of a row. `group` is the same for neighbouring rows that were written in sequence.
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

  /// - Throws: `ambiguousDates` if the dates do not show it, `badLine` if they contradict each other.
  func order() throws(HistoryError) -> ImportOptions.DateOrder {
    guard let example else { return .yearFirst }
    switch (dayFirstLine, monthFirstLine) {
    case (let day?, let month?):
      throw .badLine(max(day, month), "the order of day and month differs from line \(min(day, month))")
    case (_?, nil): return .dayFirst
    case (nil, _?): return .monthFirst
    case (nil, nil): break
    }
    guard dayFirst.isSteady != monthFirst.isSteady else { throw .ambiguousDates(example: SafeText.quoted(example)) }
    return dayFirst.isSteady ? .dayFirst : .monthFirst
  }

  /// Returns midnight, because the hour that is repeated when summer time ends says nothing about days.
  private static func day(_ date: LocalDate, _ order: ImportOptions.DateOrder) -> Instant? {
    date.civilTime(order).flatMap { CivilTime(year: $0.year, month: $0.month, day: $0.day)?.instant(offsetSeconds: 0) }
  }
}
