// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// Chart of all values, for a span too short for a profile.
struct TimelineDrawing {
  let content: ReportContent

  static let gradientID = "ink-time"

  /// The chart; nil without values.
  var chart: Chart? {
    let points = content.points
    guard let first = points.first, let last = points.last else { return nil }
    let clock = content.clock
    let firstDay = clock.day(first.time)
    let pieces = ClockLine.pieces(points, clock: clock, day: firstDay)
    let minutes = pieces.joined().map(\.minute)
    guard let earliest = minutes.min(), let latest = minutes.max() else { return nil }
    // Whole hours around the values, at least four.
    let start = ((earliest - max(0, 120 - (latest - earliest) / 2)) / 60).rounded(.down) * 60
    let end = max(start + 240, (latest / 60).rounded(.up) * 60)
    let area = PlotArea(
      axis: GlucoseAxis(points, unit: content.unit), minutes: end - start, width: 768, height: 280, left: 64, right: 40,
      top: 16, bottom: 42, places: 2)
    func shifted(_ pieces: [[(minute: Double, value: Double)]]) -> [[(minute: Double, value: Double)]] {
      pieces.map { $0.map { (minute: $0.minute - start, value: $0.value) } }
    }
    let drawn = content.smoothing.map {
      shifted(ClockLine.pieces($0.smoothed(points), clock: clock, day: firstDay))
    }
    let ticks = Self.ticks(from: start, to: end)
    let marks =
      area.gradient(id: Self.gradientID)
      + area.frame(ticks: ticks.map { ($0 - start, Self.name($0, firstDay: firstDay, clock: clock)) })
      + area.line(shifted(pieces), drawn: drawn, gradientID: Self.gradientID)
    return Chart(
      id: "time", title: "Glucose from \(clock.moment(first.time)) to \(clock.moment(last.time))",
      description: description, area: area, startMinute: firstDay * 1_440 + Int(start), marks: marks)
  }

  /// Returns round times in minutes, at most nine.
  static func ticks(from start: Double, to end: Double) -> [Double] {
    var step = 60.0
    for hours in [1.0, 2, 3, 6, 12, 24, 48, 168] where (end - start) / step > 8 { step = hours * 60 }
    while (end - start) / step > 8 { step *= 2 }
    return Array(stride(from: (start / step).rounded(.up) * step, through: end, by: step))
  }

  private static func name(_ minute: Double, firstDay: Int, clock: WallClock) -> String {
    let (day, rest) = Int(minute).floorDivided(by: 1_440)
    return rest == 0 ? clock.name(ofDay: firstDay + day) : ProfileDrawing.time(rest / 15)
  }

  private var description: String {
    let values = content.points.map(\.value)
    guard let statistics = DailyStatistics(values) else { return "No values." }
    let unit = content.unit
    return "\(CountText.of(statistics.count, "value")), from \(unit.text(statistics.lowest)) to"
      + " \(unit.text(statistics.highest)), mean \(unit.text(statistics.mean)) \(unit.rawValue). The line is broken at"
      + " gaps of more than \(DataGap.bridgedMinutes) minutes. Lines at \(unit.text(GlucoseRange.lowLimit)) and \(unit.text(GlucoseRange.highLimit)) show the"
      + " target range." + (content.smoothing.map { " \($0.note)" } ?? "")
  }
}
