// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// A day's values as a picture, from midnight to midnight on the clock.
struct DayDrawing {
  let day: ReportDay
  let content: ReportContent
  let axis: GlucoseAxis
  /// The day's values as they are drawn; nil: as they are.
  var drawn: [GlucosePoint]?

  /// All days' lines take their colours from the first day's picture.
  static let ink = "ink-day"

  /// `number` tells the pictures of a page apart.
  func chart(number: Int) -> Chart {
    // 0.2 for a minute: one decimal is enough for any.
    let area = PlotArea(
      axis: axis, minutes: 1_440, width: 288, height: 140, left: 36, right: 20, top: 8, bottom: 26, places: 1)
    var marks = number == 1 ? area.ink(id: Self.ink) : ""
    marks += area.frame(ticks: stride(from: 0, through: 24, by: 6).map { (Double($0 * 60), ProfileDrawing.hour($0)) })
    func pieces(_ points: [GlucosePoint]) -> [[(minute: Double, value: Double)]] {
      ClockLine.pieces(points, clock: content.clock, day: day.number)
    }
    marks += area.line(pieces(day.day.values), drawn: drawn.map(pieces), ink: Self.ink)
    return Chart(
      id: "day-\(number)", title: "Glucose on \(day.name)", description: description, area: area, startMinute: nil,
      marks: marks)
  }

  private var description: String {
    let unit = content.unit
    guard let statistics = day.day.part.statistics else { return "No values." }
    let gaps = DataGap.among(day.day.values).count
    var text = "\(CountText.of(statistics.count, "value")), from \(unit.text(statistics.lowest)) to"
    text += " \(unit.text(statistics.highest)), mean \(unit.text(statistics.mean)) \(unit.rawValue);"
    text += " \(ReportNumbers.percent(statistics.percentBelow)) low, "
    text += "\(ReportNumbers.percent(statistics.percentInRange)) in range, "
    text += "\(ReportNumbers.percent(statistics.percentAbove)) high."
    if gaps > 0 { text += " \(CountText.of(gaps, "gap")) of more than \(DataGap.bridgedMinutes) minutes." }
    if day.isClockChanged { text += " The clock was changed on this day." }
    if drawn != nil, let smoothing = content.smoothing { text += " \(smoothing.note)" }
    return text
  }
}
