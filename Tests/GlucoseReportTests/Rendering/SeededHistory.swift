// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

@testable import GlucoseReport

/// Made-up histories that look like real ones: meals, some lows, a lost day.
enum SeededHistory {
  /// 2024-05-01T00:00:00+02:00, a Wednesday.
  static let start = Instant(secondsSince1970: 1_714_514_400)

  /// A value every quarter of an hour; `lost` are the days without any.
  static func points(from start: Instant = start, days: Int, lost: Set<Int> = [], seed: UInt64 = 7) -> [GlucosePoint] {
    var numbers = SplitMix64(seed: seed)
    var points: [GlucosePoint] = []
    var level = 110.0
    var meal = 0.0
    for quarter in 0..<days * 96 {
      let hour = Double(quarter % 96) / 4
      // Breakfast, lunch and dinner, not always at the same hour; some are bigger.
      if [7.5, 13, 19.5].contains(where: { abs($0 - hour) < 0.7 }), Int.random(in: 0..<3, using: &numbers) == 0 {
        meal += Double.random(in: 10...38, using: &numbers)
      }
      meal *= 0.84
      let basal = hour < 5 ? 88.0 : 104
      // More insulin than the meal took.
      if quarter % 229 == 60 { meal -= 26 }
      level += meal * 0.75 + (basal - level) * 0.14 + Double.random(in: -7...7, using: &numbers)
      guard !lost.contains(quarter / 96) else { continue }
      points.append(GlucosePoint(start.adding(minutes: quarter * 15), max(40, level.rounded())))
    }
    return points
  }

  static func values(_ values: [Double], from start: Instant = start) -> [GlucosePoint] {
    values.enumerated().map { GlucosePoint(start.adding(minutes: $0.offset * 15), $0.element) }
  }
}

extension ReportContent {
  /// A report of values, with two sensors of which the second begins half way. Its days begin at `from`.
  static func made(
    of points: [GlucosePoint], from: Instant? = nil, unit: GlucoseUnit = .milligramsPerDecilitre,
    clock: WallClock = WallClock.rome,
    sensors: [Sensor]? = nil, notes: [String] = ["Values of two sensors; where both have one, the first counts."]
  ) -> ReportContent {
    var quarters = QuarterHours()
    for point in points { quarters.add(.imported(point.time, point.value)) }
    let byDay = StatisticsByDay(quarters, from: from, to: nil, clock: clock.localClock)
    let halves = [points.prefix(points.count / 2), points.suffix(points.count - points.count / 2)].filter {
      !$0.isEmpty
    }
    return ReportContent(
      unit: unit, clock: clock, from: points.first?.time ?? SeededHistory.start,
      to: points.last?.time ?? SeededHistory.start, madeAt: Instant(secondsSince1970: 1_715_767_200),
      tool: "libre 0.1.0",
      points: points, byDay: byDay,
      metrics: GlucoseMetrics(points, percentActive: byDay.total.percentOfExpected, clock: clock),
      profile: AmbulatoryProfile(points, clock: clock), gaps: DataGap.among(points),
      sensors: sensors
        ?? halves.enumerated().map {
          Sensor(
            name: "FreeStyle Libre 0M00028U5D\($0.offset)", from: $0.element.first?.time, to: $0.element.last?.time,
            count: $0.element.count)
        },
      calibration: "factory", notes: notes, disclaimer: "Not for treatment decisions.")
  }
}
