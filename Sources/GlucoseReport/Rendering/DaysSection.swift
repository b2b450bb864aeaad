// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// The days, newest first: charts of the newest days, and a table of all.
struct DaysSection {
  let content: ReportContent

  static let maximumPictures = 90

  var html: String {
    let days = content.byDay.days.compactMap { ReportDay($0, clock: content.clock) }
    guard !days.isEmpty else { return #"<section id="days"><h2>Days</h2><p>No day has values.</p></section>"# }
    let axis = GlucoseAxis(content.points + content.fingerSticks.map(GlucosePoint.init), unit: content.unit)
    let clock = content.clock
    // Smooth the whole series, because lines cross midnight.
    let drawn = content.smoothing.map { smoothing in
      Dictionary(grouping: smoothing.smoothed(content.points)) { clock.day($0.time) }
    }
    let sticks = Dictionary(grouping: content.fingerSticks) { clock.day($0.time) }
    let figures = days.reversed().prefix(Self.maximumPictures).enumerated().map { index, day in
      let chart = DayDrawing(
        day: day, content: content, axis: axis, drawn: drawn.map { $0[day.number] ?? [] },
        fingerSticks: sticks[day.number] ?? []
      ).chart(number: index + 1)
      return "<figure><figcaption>\(caption(day))</figcaption>\(chart.html)</figure>"
    }
    let length = content.clock.kind == .sensorAge ? "24 hours each, from the sensor's start on" : "Midnight to midnight"
    let few =
      days.count > Self.maximumPictures
      ? " Pictures of the newest \(Self.maximumPictures) of \(days.count) days; the table has all." : ""
    let without = content.byDay.daysWithoutValues
    let empty = without > 0 ? " \(CountText.of(without, "day")) without values." : ""
    let smoothed = content.smoothing.map { " \($0.note)" } ?? ""
    return """
      <section id="days"><h2>Days</h2>
      <p class="soft">\(length), newest first, \(content.unit.rawValue). L is low, H is high.\(few)\(empty)\(smoothed)</p>\
      \(sticks.isEmpty ? "" : "\n<p class=\"key soft\">\(FingerStickText.key("finger-stick"))</p>")
      <div class="days">
      \(figures.joined(separator: "\n"))
      </div>
      <details><summary>The days as a table</summary>
      \(table(days))
      </details></section>
      """
  }

  private func caption(_ day: ReportDay) -> String {
    let flags = flags(day).map { #" <span class="flag">\#($0)</span>"# }.joined()
    let name = "<b>\(Markup.text(day.name))</b>"
    guard let statistics = day.day.part.statistics else { return name + flags }
    let shares = [
      ("L", statistics.percentBelow), ("in range", statistics.percentInRange), ("H", statistics.percentAbove),
    ].filter { $0.1 > 0 }.map { "\($0.0) \(Markup.percent($0.1))" }
    return "\(name) mean \(content.unit.text(statistics.mean))\(flags)<div>\(shares.joined(separator: " · "))</div>"
  }

  /// Number of quarters of an hour in the shortest day, that on which summer time begins.
  private static let shortestDay = 92

  private func flags(_ day: ReportDay) -> [String] {
    let part = day.day.part.expected
    return (part < Self.shortestDay ? ["\(ReportNumbers.duration(minutes: Double(15 * part))) of the day"] : [])
      + (day.isClockChanged ? ["clock changed"] : []) + (day.day.part.isEnough ? [] : ["few values"])
  }

  private func table(_ days: [ReportDay]) -> String {
    let unit = content.unit
    let rows = days.reversed().map { day in
      let statistics = day.day.part.statistics
      let percents = [statistics?.percentBelow, statistics?.percentInRange, statistics?.percentAbove]
      return [Markup.text(day.name), String(day.day.part.count)]
        + [statistics?.mean, statistics?.standardDeviation, statistics?.lowest, statistics?.highest].map(unit.text)
        + percents.map { Markup.percent($0) } + [flags(day).joined(separator: ", ")]
    }
    return HTMLTable(
      caption: "Days, \(unit.rawValue)",
      head: ["Day", "Values", "Mean", "SD", "Lowest", "Highest", "Low", "In range", "High", "Remarks"], rows: rows,
      words: [9], optional: [3, 4, 5, 9]
    ).html
  }
}

struct ReportDay {
  let day: StatisticsByDay.Day
  /// Days since 1970-01-01, or since the sensor was started.
  let number: Int
  /// Name: `Thu 2024-05-02`, `day 3`.
  let name: String
  let isClockChanged: Bool

  init?(_ day: StatisticsByDay.Day, clock: WallClock) {
    guard let first = day.values.first else { return nil }
    self.day = day
    number = clock.day(first.time)
    let date = clock.name(ofDay: number)
    name = clock.kind == .sensorAge ? date : "\(Self.weekday(number)) \(date)"
    // The day's ends by the offset of its first value. After a clock change in between, one of them has another offset.
    let start = Int64(number) * Instant.secondsPerDay - Int64(clock.offsetSeconds(first.time))
    let ends = [start, start + Instant.secondsPerDay - 1].map { clock.offsetSeconds(Instant(secondsSince1970: $0)) }
    isClockChanged = ends[0] != ends[1]
  }

  private static func weekday(_ day: Int) -> String {
    // 1970-01-01 was a Thursday.
    ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][day.floorDivided(by: 7).remainder]
  }
}

/// Chart of a day's values, from midnight to midnight on the clock.
struct DayDrawing {
  let day: ReportDay
  let content: ReportContent
  let axis: GlucoseAxis
  /// Smoothed values of the day; nil to draw the values themselves.
  var drawn: [GlucosePoint]?
  var fingerSticks: [FingerStick] = []

  static let gradientID = "ink-day"

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
    marks += area.fingerSticks(ClockLine.places(fingerSticks, clock: content.clock, day: day.number), radius: 4)
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
