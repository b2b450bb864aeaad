// SPDX-License-Identifier: Apache-2.0
package import CGMModel
package import TextFormats

/// Statistics of a span of time, for each local day and for the whole. A day has a value every quarter of an hour: 96,
/// or 92 and 100 on the days of a clock change. Of a day that is cut or has not ended only a part counts.
package struct StatisticsByDay: Hashable, Sendable {
  /// Minimum number of days for a report (Battelino 2019).
  package static let minimumDays = 14
  package static let minimumPercent = 70.0
  package static var enough: String { "\(PercentText.whole(minimumPercent)) of their values" }

  package struct Part: Hashable, Sendable {
    /// Number of expected quarters of an hour.
    package let expected: Int
    package let statistics: DailyStatistics?
    package var count: Int { statistics?.count ?? 0 }
    package var percentOfExpected: Double { expected > 0 ? 100 * Double(count) / Double(expected) : 0 }

    /// False if too many values are missing to represent the span: under 70 % (Danne 2017, Battelino 2019).
    package var isEnough: Bool { percentOfExpected >= StatisticsByDay.minimumPercent }
  }

  package struct Day: Hashable, Sendable {
    /// Days since 1970-01-01.
    let number: Int
    package let part: Part
    /// Values of the part, in the order of time.
    package let values: ArraySlice<GlucosePoint>
    package var date: String { String(Instant(daysSince1970: number).rfc3339.prefix(10)) }
  }

  package let days: [Day]
  package let total: Part
  package let daysWithoutValues: Int

  /// True for two weeks or more with 70 % of the values (Battelino 2019). A week with a clock change may lack an hour.
  package var isEnoughForReport: Bool { total.isEnough && total.expected >= Self.minimumDays * 96 - 4 }

  /// `from` and `to` are as for `QuarterStretch`.
  package init(_ values: QuarterHours, from: Instant?, to: Instant?, clock: LocalClock) {
    let stretch = QuarterStretch(values, from: from, to: to, clock: clock)
    days = stretch.groups(by: .day).compactMap { group in
      guard case .day(let number) = group.key else { return nil }
      return Day(number: number, part: group.part, values: group.values)
    }
    guard let all = stretch.all else {
      total = Part(expected: 0, statistics: nil)
      daysWithoutValues = 0
      return
    }
    total = Part(expected: all.count, statistics: DailyStatistics(values.points.lazy.map(\.value)))
    daysWithoutValues = max(0, stretch.day(all.upperBound) - stretch.day(all.lowerBound) + 1 - days.count)
  }
}

package enum StatisticsGrouping: String, CaseIterable, Sendable {
  /// The hour of the day, over all days.
  case hour
  case day
  /// Week from Monday to Sunday (ISO 8601).
  case week
  case month
  /// Wear of a sensor, or device in another program's history.
  case sensor
}

package struct StatisticsGroup: Hashable, Sendable {
  /// Common property of the group's values; days, hours and months are local.
  package enum Key: Hashable, Sendable {
    /// Hour, 0…23.
    case hour(Int)
    /// Days since 1970-01-01, or since the sensor was started.
    case day(Int)
    case week(monday: Int)
    case month(first: Int)
    case source(ValueSource)
  }

  package let key: Key
  /// First and last second of the expected span; nil for an hour, which belongs to many days.
  package let from: Instant?
  package let to: Instant?
  package let part: StatisticsByDay.Part
  package let values: ArraySlice<GlucosePoint>
}

package struct GroupedStatistics: Sendable {
  package let grouping: StatisticsGrouping
  /// Hours by number, others by first value. Only hours may be without a value, and sensors of which no value counts.
  package let groups: [StatisticsGroup]
  package let clock: WallClock
  package let hasSuperseded: Bool

  /// Groups the values. `from` and `to` are both included; nil means the first or last value.
  package init(
    _ values: QuarterHours, by grouping: StatisticsGrouping, from: Instant?, to: Instant?, clock: WallClock
  ) {
    (self.grouping, self.clock) = (grouping, clock)
    hasSuperseded = values.hasSuperseded
    groups = QuarterStretch(values, from: from, to: to, clock: clock.localClock).groups(by: grouping)
  }
}

extension StatisticsByDay.Part {
  /// Writes the figures with the names of `libre.stats/1`.
  package func writeMembers(to json: inout JSONWriter) {
    json.member("values", count)
    json.member("expected", expected)
    json.member("percent_of_expected", percentOfExpected, places: 2)
    json.member("mean_mg_dl", statistics?.mean, places: 4)
    json.member("sd_mg_dl", statistics?.standardDeviation, places: 4)
    json.member("min_mg_dl", statistics?.lowest, places: 4)
    json.member("max_mg_dl", statistics?.highest, places: 4)
    json.member("cv_percent", statistics?.coefficientOfVariation, places: 4)
    json.member("percent_below", statistics?.percentBelow, places: 4)
    json.member("percent_in_range", statistics?.percentInRange, places: 4)
    json.member("percent_above", statistics?.percentAbove, places: 4)
  }
}
