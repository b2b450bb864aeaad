// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// Chart of a day's values, from midnight to midnight on the clock.
struct DayDrawing {
  let day: ReportDay
  let content: ReportContent
  let axis: GlucoseAxis
  /// Smoothed values of the day; nil to draw the values themselves.
  var drawn: [GlucosePoint]?
  /// Finger-sticks of the day.
  var fingerSticks: [FingerStick] = []

  /// Gradient of the first day's chart, which all days' lines share.
  static let gradientID = "ink-day"

  /// Draws the chart. `number` distinguishes the charts of a page.
  func chart(number: Int) -> Chart {
    // A minute is 0.2 wide: one decimal is enough.
    let area = PlotArea(
      axis: axis, minutes: 1_440, width: 288, height: 140, left: 36, right: 20, top: 8, bottom: 26, places: 1)
    var marks = number == 1 ? area.gradient(id: Self.gradientID) : ""
    marks += area.frame(ticks: stride(from: 0, through: 24, by: 6).map { (Double($0 * 60), ProfileDrawing.hour($0)) })
    func pieces(_ points: [GlucosePoint]) -> [[(minute: Double, value: Double)]] {
      ClockLine.pieces(points, clock: content.clock, day: day.number)
    }
    marks += area.line(pieces(Array(day.day.values)), drawn: drawn.map(pieces), gradientID: Self.gradientID)
    marks += area.fingerSticks(
      ClockLine.places(fingerSticks, clock: content.clock, day: day.number), radius: 4)
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
    if let words = FingerStickText.drawn(fingerSticks, unit: unit) { text += " \(words)" }
    if gaps > 0 { text += " \(CountText.of(gaps, "gap")) of more than \(DataGap.bridgedMinutes) minutes." }
    if day.isClockChanged { text += " The clock was changed on this day." }
    if drawn != nil, let smoothing = content.smoothing { text += " \(smoothing.note)" }
    return text
  }
}
