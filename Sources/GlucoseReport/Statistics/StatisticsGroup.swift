// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// What values are put together by.
public enum StatisticsGrouping: String, CaseIterable, Sendable {
  /// The hour of the day, over all days.
  case hour
  case day
  /// From Monday to Sunday (ISO 8601).
  case week
  case month
  /// The wear of a sensor, or the device in another program's history.
  case sensor
}

/// Values of a stretch of time that belong together, in numbers.
public struct StatisticsGroup: Hashable, Sendable {
  /// What its values have in common; days, hours and months are those of a clock on the wall.
  public enum Key: Hashable, Sendable {
    /// 0…23
    case hour(Int)
    /// Days since 1970-01-01, or since the sensor was started.
    case day(Int)
    /// The day of its Monday.
    case week(monday: Int)
    /// The day of its first.
    case month(first: Int)
    case source(ValueSource)
  }

  public let key: Key
  /// The first and last second of what is expected of it; nil for an hour, which is of many days.
  public let from: Instant?
  public let to: Instant?
  public let part: StatisticsByDay.Part
  /// What the part was made of, in the order of time.
  public let values: [GlucosePoint]
}

/// The values of a stretch, put together in one way.
public struct GroupedStatistics: Sendable {
  public let grouping: StatisticsGrouping
  /// Hours by their number, all others by their first value. Only hours are there without a value.
  public let groups: [StatisticsGroup]
  public let clock: WallClock

  /// `from` and `to` are the ends, both within; nil is the first or last value.
  public init(
    _ values: QuarterHours, by grouping: StatisticsGrouping, from: Instant?, to: Instant?, clock: WallClock
  ) {
    self.grouping = grouping
    self.clock = clock
    groups = QuarterStretch(values, from: from, to: to, clock: clock.localClock).groups(by: grouping)
  }
}
