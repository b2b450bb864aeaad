// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// Criterion for grouping values.
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

/// Statistics of a group of values.
package struct StatisticsGroup: Hashable, Sendable {
  /// Common property of the group's values; days, hours and months are local.
  package enum Key: Hashable, Sendable {
    /// Hour, 0…23.
    case hour(Int)
    /// Days since 1970-01-01, or since the sensor was started.
    case day(Int)
    /// Day of its Monday.
    case week(monday: Int)
    /// First day of the month.
    case month(first: Int)
    case source(ValueSource)
  }

  package let key: Key
  /// First and last second of the expected span; nil for an hour, which belongs to many days.
  package let from: Instant?
  package let to: Instant?
  package let part: StatisticsByDay.Part
  /// Values of the part, in the order of time.
  package let values: ArraySlice<GlucosePoint>
}

/// The values of a span, grouped by one criterion.
package struct GroupedStatistics: Sendable {
  package let grouping: StatisticsGrouping
  /// Groups: hours by number, others by first value. Only hours may be without a value, and sensors of which no value
  /// counts.
  package let groups: [StatisticsGroup]
  package let clock: WallClock
  /// True if values of some sensors do not count, because another one was worn at the same time.
  package let hasSuperseded: Bool

  /// Groups the values. `from` and `to` are both included; nil means the first or last value.
  package init(
    _ values: QuarterHours, by grouping: StatisticsGrouping, from: Instant?, to: Instant?, clock: WallClock
  ) {
    self.grouping = grouping
    self.clock = clock
    hasSuperseded = values.hasSuperseded
    groups = QuarterStretch(values, from: from, to: to, clock: clock.localClock).groups(by: grouping)
  }
}
