// SPDX-License-Identifier: Apache-2.0
package import GlucoseReport

extension GlucoseHistory {
  package func statistics(from: Instant?, to: Instant?) -> (byDay: StatisticsByDay, metrics: GlucoseMetrics?) {
    let byDay = StatisticsByDay(quarters, from: from, to: to, clock: clock.localClock)
    return (byDay, GlucoseMetrics(quarters.points, percentActive: byDay.total.percentOfExpected, clock: clock))
  }

  /// `from` and `to` limit the range; nil means the first or last value. `smoothing` affects lines only.
  package func content(
    from: Instant?, to: Instant?, unit: GlucoseUnit, madeAt: Instant?, smoothing: Smoothing? = nil
  ) -> ReportContent {
    let points = quarters.points
    let (byDay, metrics) = statistics(from: from, to: to)
    // The stretch of the numbers, which finger-sticks before or after the values do not widen.
    let times = points.isEmpty ? fingerSticks.map(\.time) : points.map(\.time)
    let first = from ?? times.first ?? to ?? madeAt ?? .firstSensor
    let last = max(first, to ?? times.last ?? first)
    return ReportContent(
      unit: unit, clock: clock, from: first, to: last, madeAt: madeAt, tool: Program.tool, points: points,
      fingerSticks: fingerSticks, byDay: byDay, metrics: metrics,
      profile: AmbulatoryProfile(points, clock: clock), gaps: DataGap.among(points, from: from, to: to),
      sensors: sensors, calibration: points.isEmpty && calibrations.isEmpty ? "–" : calibrationName,
      calibrationNotes: calibrations.sorted().flatMap { CalibrationEntry.named($0)?.claim ?? [] },
      notes: notes(from: first, to: last), disclaimer: Program.disclaimer, smoothing: smoothing)
  }

  /// Says that two sensors were worn at the same time, and which of them counts; nil if none were.
  package var supersededWords: String? {
    guard superseded > 0 else { return nil }
    let values = superseded == 1 ? "1 value does not count" : "\(superseded) values do not count"
    return "\(values), because another sensor was worn at the same time: the one that was started last counts"
  }

  var calibrationName: String {
    calibrations.isEmpty ? "as imported" : calibrations.sorted().joined(separator: ", ")
  }

  private func notes(from: Instant, to: Instant) -> [String] {
    var notes = [
      "One history value per quarter of an hour counts; values of a sensor that libre read take precedence over imported ones."
    ]
    if let overlap { notes.append("\(overlap.message(clock)).") }
    if clock.kind == .sensorAge {
      notes.append(
        "It is unknown when this sensor was read, so times are those of its own counter: hours since it was started.")
    }
    if let words = doubt.map({ ReadingProblem.startInDoubt($0).message }) {
      notes.append("\(words.prefix(1).uppercased())\(words.dropFirst()).")
    }
    if leftOut > 0 {
      notes.append(
        "\(leftOut) \(leftOut == 1 ? "sample is" : "samples are") left out, because the sensor flagged them or gives no value for them."
      )
    }
    if let words = supersededWords { notes.append("\(words).") }
    if undated > 0 {
      notes.append(
        "\(undated) \(undated == 1 ? "sample is" : "samples are") left out, because it is unknown when their sensor was read (--read-at)."
      )
    }
    // A range longer than a life contains wrong dates.
    let changes = to <= from.adding(days: 100 * 366) ? clock.changes(from: from, to: to) : []
    if let newest = changes.last.map({ clock.name(ofDay: clock.day($0)) }) {
      notes.append(
        changes.count == 1
          ? "The clock was changed on \(newest)." : "The clock was changed on \(changes.count) days, last on \(newest)."
      )
    }
    return notes
  }
}
