// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import TextFormats

/// Two lines about the last eight hours: a step for each quarter of an hour, and the statistics. The steps are at 54,
/// 70, 97.5, 125, 152.5, 180 and 250 mg/dL: the limits of the ranges (Battelino 2019), and the target range in four
/// parts, so that shape, lows and highs are visible without colour.
package struct Sparkline: Hashable, Sendable {
  package static let quarters: Int64 = 32

  /// Lines: one sentence without values; a third line if the steps are smoothed.
  package let lines: [TerminalLine]

  /// Ends with the quarter of an hour of `to`. Several values in a quarter count as their mean, here and in the shares.
  /// `smoothing` affects the steps only and uses all `points`, also earlier ones, which must be in the order of time.
  package init(
    _ points: [GlucosePoint], to: Instant, unit: GlucoseUnit, clock: WallClock,
    characters: TerminalCharacters = .unicode, smoothing: Smoothing? = nil
  ) {
    let to = min(max(to, Instant.writable.lowerBound), Instant.writable.upperBound)
    let first = QuarterHours.number(of: to) - Self.quarters + 1
    let from = QuarterHours.beginning(first)
    func means(_ points: [GlucosePoint]) -> [Double?] {
      var sums = Array(repeating: (sum: 0.0, count: 0), count: Int(Self.quarters))
      for point in points where point.value.isFinite && from <= point.time && point.time <= to {
        let quarter = Int(QuarterHours.number(of: point.time) - first)
        sums[quarter].sum += point.value
        sums[quarter].count += 1
      }
      return sums.map { $0.count > 0 && $0.sum.isFinite ? $0.sum / Double($0.count) : nil }
    }
    let values = means(points)
    guard let statistics = DailyStatistics(values.compactMap(\.self)) else {
      lines = [TerminalLine(TerminalCell.text("No values in the last 8 hours.", .plain))]
      return
    }
    let picture = (smoothing.map { means($0.smoothed(points)) } ?? values).map { value in
      guard let value else { return TerminalCell(character: characters.missing, color: .dim) }
      return TerminalCell(character: characters.steps[Self.step(value)], color: TerminalColor(value))
    }
    let dash = characters.dash
    let ends = [statistics.lowest, statistics.highest].map { unit.text($0) }
    let span = ends[0] == ends[1] ? ends[0] : ends.joined(separator: dash)
    let times = Self.times(from, to, clock, dash)
    let range = [DailyStatistics.range.lowerBound, DailyStatistics.range.upperBound].map { unit.text($0) }
    func share(_ words: String, _ percent: Double, _ color: TerminalColor) -> [TerminalCell] {
      TerminalCell.text("\(words) \(ReportNumbers.percent(percent))   ", percent > 0 ? color : .plain)
    }
    lines =
      [
        TerminalLine(picture + TerminalCell.text("   \(times)   \(span) \(unit.rawValue)", .plain)),
        TerminalLine(
          share("In range \(range.joined(separator: dash)):", statistics.percentInRange, .inRange)
            + share("below", statistics.percentBelow, .low) + share("above", statistics.percentAbove, .high)
            + TerminalCell.text("8 h, \(CountText.of(statistics.count, "value"))", .dim)),
      ] + (smoothing.map { [TerminalLine(TerminalCell.text($0.note, .dim))] } ?? [])
  }

  /// The points of the history, and those of the trend in quarters that the history has not reached yet. So a reading
  /// shows the same eight hours as the store, which also has the trends of earlier readings.
  package static func points(history: [GlucosePoint], trend: [GlucosePoint]) -> [GlucosePoint] {
    let known = Set(history.map { QuarterHours.number(of: $0.time) })
    return (history + trend.filter { !known.contains(QuarterHours.number(of: $0.time)) }).sorted { $0.time < $1.time }
  }

  /// Returns a step, 0 to 7.
  private static func step(_ value: Double) -> Int {
    let range = DailyStatistics.range
    if value < range.lowerBound { return value < GlucoseRange.veryLowLimit ? 0 : 1 }
    if value > range.upperBound { return value > GlucoseRange.veryHighLimit ? 7 : 6 }
    let quarter = (range.upperBound - range.lowerBound) / 4
    return 2 + min(3, Int(saturating: (value - range.lowerBound) / quarter))
  }

  /// Returns the span: `04:30 – 12:15`, on a sensor's clock `day 3 22:30 – day 4 06:15`.
  private static func times(_ from: Instant, _ to: Instant, _ clock: WallClock, _ dash: String) -> String {
    var ends = [clock.timeOfDay(from), clock.timeOfDay(to)]
    if clock.kind == .sensorAge {
      ends[0] = "\(clock.name(ofDay: clock.day(from))) \(ends[0])"
      if clock.day(from) != clock.day(to) { ends[1] = "\(clock.name(ofDay: clock.day(to))) \(ends[1])" }
    }
    let changed = clock.offsetSeconds(from) == clock.offsetSeconds(to) ? "" : ", clock changed"
    return ends.joined(separator: " \(dash) ") + changed
  }
}
