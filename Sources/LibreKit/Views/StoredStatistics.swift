// SPDX-License-Identifier: Apache-2.0
public import CGMModel
public import GlucoseReport
public import SampleStore

extension SensorStore {
  /// The history between two moments in numbers, by local day. nil is no limit.
  ///
  /// Throws `LibreError.store`.
  public func statistics(
    from: Instant?, to: Instant?, calibration: TimelineCalibration = .factory, ignoring sources: Set<String> = []
  ) throws(LibreError) -> StatisticsByDay {
    var query = HistoryQuery()
    query.from = from
    query.to = to
    query.ignoredSources = sources
    query.isNewestFirst = false
    var values = QuarterHours()
    try forEachEntry(query, calibration: calibration) { entry in
      values.add(entry)
      return true
    }
    return StatisticsByDay(values, from: from, to: to) { LocalTime.offsetSeconds(at: $0) ?? 0 }
  }
}

extension StatisticsByDay.Day {
  /// `2024-05-02`.
  var date: String {
    let wall = CivilTime(year: year, month: month, day: day)
    return String((wall?.instant(offsetSeconds: 0).rfc3339 ?? "").prefix(10))
  }
}
