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
    let values = values.sorted
    func localDay(_ number: Int64) -> Int { clock.place(QuarterHours.beginning(number)).day }
    // The whole quarters within the ends.
    let first = from.map {
      QuarterHours.number(of: Instant(secondsSince1970: $0.secondsSince1970 + QuarterHours.seconds - 1))
    }
    let last = to.map { QuarterHours.number(of: Instant(secondsSince1970: $0.secondsSince1970 + 1)) - 1 }

    var days: [Day] = []
    var start = 0
    while start < values.count {
      let day = localDay(values[start].number)
      var end = start
      while end < values.count, localDay(values[end].number) == day { end += 1 }
      let (own, ownLast) = (values[start].number, values[end - 1].number)
      var (low, high) = (own, ownLast)
      // A day of more than 27 hours would be a change of the date line.
      while own - low < 108, localDay(low - 1) == day { low -= 1 }
      while high - ownLast < 108, localDay(high + 1) == day { high += 1 }
      low = min(own, max(low, first ?? low))
      high = max(ownLast, min(high, last ?? high))
      let civil = CivilTime(Instant(daysSince1970: day))
      days.append(
        Day(
          year: civil.year, month: civil.month, day: civil.day,
          part: Part(
            expected: Int(high - low + 1),
            statistics: DailyStatistics(values[start..<end].map(\.point.value))),
          values: values[start..<end].map(\.point)))
      start = end
    }
    self.days = days
    let (oldest, newest) = (values.first?.number, values.last?.number)
    guard let low = [first ?? oldest, oldest].compactMap(\.self).min(),
      let high = [last ?? newest, newest].compactMap(\.self).max(), low <= high
    else {
      total = Part(expected: 0, statistics: nil)
      daysWithoutValues = 0
      return
    }
    total = Part(
      expected: Int(high - low + 1),
      statistics: DailyStatistics(values.map(\.point.value)))
    daysWithoutValues = max(0, localDay(high) - localDay(low) + 1 - days.count)
  }
}
