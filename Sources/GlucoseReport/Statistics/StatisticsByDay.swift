// SPDX-License-Identifier: Apache-2.0
public import CGMModel
import TextFormats

/// A stretch of time in numbers, local day by local day and as a whole.
///
/// A day has a value every quarter of an hour: 96, or 92 and 100 on the days on which the clock is changed. Of a day
/// that is cut off by the stretch's ends, or has not ended yet, only the part within counts.
public struct StatisticsByDay: Hashable, Sendable {
  /// What a stretch needs to be reported on (Battelino 2019).
  public static let fewestDays = 14
  /// Of the values that there should be.
  public static let fewestPercent = 70.0
  /// `70 % of their values`.
  public static var enough: String { "\(PercentText.whole(fewestPercent)) of their values" }

  /// Values of a stretch, and how many of those there should be.
  public struct Part: Hashable, Sendable {
    /// Quarters of an hour.
    public let expected: Int
    /// nil for no values.
    public let statistics: DailyStatistics?

    public var count: Int { statistics?.count ?? 0 }

    public var percentOfExpected: Double { expected > 0 ? 100 * Double(count) / Double(expected) : 0 }

    /// False where too much is missing to speak for the stretch: under 70 % (Danne 2017, Battelino 2019).
    public var isEnough: Bool { percentOfExpected >= StatisticsByDay.fewestPercent }
  }

  /// A date on the clock on the wall.
  public struct Day: Hashable, Sendable {
    public let year: Int
    public let month: Int
    public let day: Int
    public let part: Part
    /// What the part was made of, in the order of time.
    public let values: [GlucosePoint]

    /// `2024-05-02`.
    public var date: String {
      String((CivilTime(year: year, month: month, day: day)?.instant(offsetSeconds: 0).rfc3339 ?? "").prefix(10))
    }
  }

  /// Days that have values, in their order.
  public let days: [Day]
  public let total: Part
  public let daysWithoutValues: Int

  /// True for two weeks and more of which 70 % is there (Battelino 2019). A week of a clock change may lack an hour.
  public var isEnoughForReport: Bool { total.isEnough && total.expected >= Self.fewestDays * 96 - 4 }

  /// `from` and `to` are the ends, both within; nil is the first or last value. Of quarters that an end cuts in two only
  /// those with a value count.
  public init(_ values: QuarterHours, from: Instant?, to: Instant?, clock: LocalClock) {
    let stretch = QuarterStretch(values, from: from, to: to, clock: clock)
    days = stretch.groups(by: .day).compactMap(Day.init)
    guard let all = stretch.all else {
      total = Part(expected: 0, statistics: nil)
      daysWithoutValues = 0
      return
    }
    total = Part(expected: all.count, statistics: DailyStatistics(stretch.values.map(\.point.value)))
    daysWithoutValues = max(0, stretch.day(all.upperBound) - stretch.day(all.lowerBound) + 1 - days.count)
  }
}

extension StatisticsByDay.Day {
  /// nil for a group that is not a day.
  fileprivate init?(_ group: StatisticsGroup) {
    guard case .day(let number) = group.key else { return nil }
    let civil = CivilTime(Instant(daysSince1970: number))
    self.init(year: civil.year, month: civil.month, day: civil.day, part: group.part, values: group.values)
  }
}
