// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import TextFormats

/// Chart of values over time: for a span too short for a profile, and for the last hours.
struct TimelineDrawing {
  let points: [GlucosePoint]
  let clock: WallClock
  let unit: GlucoseUnit
  var smoothing: Smoothing?
  var fingerSticks: [FingerStick] = []
  /// `time`, `recent-wide`: see ``Chart/id``.
  var id = "time"
  /// Span to draw, with bands outside the target range too; nil for whole hours around the values, at least four.
  var span: ClosedRange<Instant>?
  var width = 768.0
  var height = 280.0
  var left = 64.0
  var right = 40.0
  var bottom = 42.0

  var chart: Chart? {
    let all = points + fingerSticks.map(GlucosePoint.init)
    guard let first = all.map(\.time).min(), let last = all.map(\.time).max() else { return nil }
    let firstDay = clock.day(span?.lowerBound ?? first)
    let pieces = ClockLine.pieces(points, clock: clock, day: firstDay)
    let sticks = ClockLine.places(fingerSticks, clock: clock, day: firstDay)
    guard let (start, end) = ends(pieces.joined().map(\.minute) + sticks.map(\.minute), firstDay: firstDay) else {
      return nil
    }
    let area = PlotArea(
      axis: GlucoseAxis(all, unit: unit), minutes: end - start, width: width, height: height, left: left,
      right: right, top: 16, bottom: bottom, places: 2)
    func shifted(_ pieces: [[(minute: Double, value: Double)]]) -> [[(minute: Double, value: Double)]] {
      pieces.map { $0.map { (minute: $0.minute - start, value: $0.value) } }
    }
    let drawn = smoothing.map { shifted(ClockLine.pieces($0.smoothed(points), clock: clock, day: firstDay)) }
    let ticks = Self.ticks(from: start, to: end)
    let marks =
      area.gradient(id: "ink-\(id)") + (span == nil ? "" : area.outerBands)
      + area.frame(
        ticks: ticks.map { tick in
          let room = (end - tick) / (end - start) * width + right
          let isNarrow = span == nil && room < Self.roomForDay
          return (tick - start, isNarrow ? Self.time(tick, end: end) : name(tick, firstDay: firstDay))
        })
      + area.line(shifted(pieces), drawn: drawn, gradientID: "ink-\(id)")
      + area.fingerSticks(sticks.map { (minute: $0.minute - start, value: $0.value) }, radius: 5)
    return Chart(
      id: id, title: "Glucose from \(clock.moment(first)) to \(clock.moment(last))",
      description: description, area: area, startMinute: firstDay * 1_440 + Int(saturating: start), marks: marks)
  }

  /// Returns the ends of the axis in minutes on the clock since the midnight with which `firstDay` begins. The values are
  /// between them, also where the clock was put back.
  private func ends(_ minutes: [Double], firstDay: Int) -> (start: Double, end: Double)? {
    guard let earliest = minutes.min(), let latest = minutes.max() else { return nil }
    if let span {
      func minute(_ instant: Instant) -> Double {
        let place = clock.place(instant)
        return Double(((place.day - firstDay) * 86_400 + place.second) / 60)
      }
      let start = min(minute(span.lowerBound), earliest.rounded(.down))
      return (start, max(minute(span.upperBound), latest.rounded(.up), start + 60))
    }
    // Whole hours around the values, at least four.
    let start = ((earliest - max(0, 120 - (latest - earliest) / 2)) / 60).rounded(.down) * 60
    return (start, max(start + 240, (latest / 60).rounded(.up) * 60))
  }

  /// Returns round times in minutes, at most nine.
  static func ticks(from start: Double, to end: Double) -> [Double] {
    var step = 60.0
    for hours in [1.0, 2, 3, 6, 12, 24, 48, 168] where (end - start) / step > 8 { step = hours * 60 }
    while (end - start) / step > 8 { step *= 2 }
    return Array(stride(from: (start / step).rounded(.up) * step, through: end, by: step))
  }

  /// Half the length of a day's name on a small screen. A midnight so near to the right end is named by its time.
  private static let roomForDay = 72.0

  private static func time(_ minute: Double, end: Double) -> String {
    let quarter = Int(saturating: minute).floorDivided(by: 1_440).remainder / 15
    return ProfileDrawing.time(quarter == 0 && minute == end ? 96 : quarter)
  }

  private func name(_ minute: Double, firstDay: Int) -> String {
    let (day, rest) = Int(saturating: minute).floorDivided(by: 1_440)
    guard rest == 0 else { return ProfileDrawing.time(rest / 15) }
    return span == nil ? clock.name(ofDay: firstDay + day) : clock.shortName(ofDay: firstDay + day)
  }

  private var description: String {
    let values = points.map(\.value)
    let sticks = FingerStickText.drawn(fingerSticks, unit: unit).map { " \($0)" } ?? ""
    guard let statistics = DailyStatistics(values) else { return "No values.\(sticks)" }
    return "\(CountText.of(statistics.count, "value")), from \(unit.text(statistics.lowest)) to"
      + " \(unit.text(statistics.highest)), mean \(unit.text(statistics.mean)) \(unit.rawValue). The line is broken at"
      + " gaps of more than \(DataGap.bridgedMinutes) minutes. Lines at \(unit.text(GlucoseRange.lowLimit)) and \(unit.text(GlucoseRange.highLimit)) show the"
      + " target range.\(sticks)" + (smoothing.map { " \($0.note)" } ?? "")
  }
}

extension TimelineDrawing {
  init(content: ReportContent) {
    self.init(
      points: content.points, clock: content.clock, unit: content.unit, smoothing: content.smoothing,
      fingerSticks: content.fingerSticks)
  }
}

/// Values along the clock's time, in pieces that a line may join: one ends at a gap and at a change of the clock.
enum ClockLine {
  /// Returns the pieces; minutes count from the midnight at which `day` begins.
  static func pieces(_ points: [GlucosePoint], clock: WallClock, day: Int) -> [[(minute: Double, value: Double)]] {
    var pieces: [[(minute: Double, value: Double)]] = []
    var last: (time: Instant, local: Int64)?
    for point in points where point.value.isFinite {
      let local = seconds(point.time, clock: clock, day: day)
      let next = (minute: Double(local) / 60, value: point.value)
      if let last, DataGap.isBridged(last.time, point.time),
        local - last.local == point.time.secondsSince1970 - last.time.secondsSince1970
      {
        pieces[pieces.count - 1].append(next)
      } else {
        pieces.append([next])
      }
      last = (point.time, local)
    }
    return pieces
  }

  /// Returns values that no line joins, each at the minute that texts name; minutes count as for `pieces`.
  static func places(_ sticks: [FingerStick], clock: WallClock, day: Int) -> [(minute: Double, value: Double)] {
    sticks.map(GlucosePoint.init).filter(\.value.isFinite).map { point in
      (minute: (Double(seconds(point.time, clock: clock, day: day)) / 60).rounded(.down), value: point.value)
    }
  }

  private static func seconds(_ time: Instant, clock: WallClock, day: Int) -> Int64 {
    time.secondsSince1970 + Int64(clock.offsetSeconds(time)) - Int64(day) * Instant.secondsPerDay
  }
}

/// The curve of the last hours, drawn twice, wide and narrow, of which the page's style shows one.
package struct RecentCurve {
  /// Two SVG elements of the classes `wide` and `narrow`; nil for no values in the span.
  package let html: String?

  /// `points` are in the order of time; those outside `span` are not drawn.
  package init(_ points: [GlucosePoint], span: ClosedRange<Instant>, clock: WallClock, unit: GlucoseUnit) {
    let points = points.filter { span.contains($0.time) }
    func drawing(id: String, width: Double, height: Double, left: Double, right: Double) -> String? {
      TimelineDrawing(
        points: points, clock: clock, unit: unit, id: id, span: span, width: width, height: height, left: left,
        right: right, bottom: 26
      ).chart?.html
    }
    // The narrow one has the size of a phone in its own coordinates, so that words in it are as large as those beside it.
    let shapes = [
      drawing(id: "wide", width: 768, height: 320, left: 44, right: 24),
      drawing(id: "narrow", width: 304, height: 220, left: 32, right: 20),
    ].compactMap(\.self)
    html = shapes.isEmpty ? nil : shapes.joined(separator: "\n")
  }
}
