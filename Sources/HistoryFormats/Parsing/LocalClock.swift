// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// Turns dates without a zone into moments.
struct LocalClock {
  let order: ImportOptions.DateOrder
  let options: ImportOptions

  /// Throws `badLine` for a text that is no date, or a moment that the zone's clocks never showed.
  func instant(_ text: String, line: Int) throws(HistoryError) -> Instant {
    guard let date = LocalDate(text) else { throw .badLine(line, "\(CulpritText.shown(text)) is no date and time") }
    guard let time = date.civilTime(order) else {
      let words = date.isYearFirst ? "" : ", with \(order.words)"
      throw .badLine(line, "\(CulpritText.shown(text)) is no date of a calendar\(words)")
    }
    guard let instant = options.instant(time) else {
      throw .badLine(
        line, "clocks of the time zone never showed \(CulpritText.shown(text)); give the zone with --time-zone")
    }
    return instant
  }
}

extension ImportOptions.DateOrder {
  fileprivate var words: String {
    switch self {
    case .dayFirst: "the day first"
    case .monthFirst: "the month first"
    case .yearFirst: "the year first"
    }
  }
}
