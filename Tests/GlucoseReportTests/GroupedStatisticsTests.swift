// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import GlucoseReport

struct GroupedStatisticsTests {
  /// One value per quarter from `from` until before `to`: the local hour, in mg/dL, so that a mean shows its hour.
  private func hours(_ from: Instant, _ to: Instant, _ clock: WallClock) -> QuarterHours {
    var values = QuarterHours()
    var time = from
    while time < to {
      values.add(.imported(time, Double(100 + clock.secondOfDay(time) / 3_600)))
      time = time.adding(minutes: 15)
    }
    return values
  }

  @Test("an hour has the values of all days at that local hour, also across a clock change")
  func hour() throws {
    // Two weeks in Rome around the end of summer time on 27 October 2024: the hour from two is there twice on that day.
    let (from, to) = (try instant("2024-10-19T22:00:00Z"), try instant("2024-11-02T22:59:59Z"))
    let found = GroupedStatistics(hours(from, to, .rome), by: .hour, from: from, to: to, clock: .rome)
    #expect(found.groups.map(\.key) == (0..<24).map { .hour($0) })
    #expect(found.groups.map(\.part.statistics?.mean) == (0..<24).map { Double(100 + $0) })
    #expect(found.groups.map(\.part.expected) == (0..<24).map { $0 == 2 ? 60 : 56 })
    #expect(found.groups.allSatisfy { $0.part.percentOfExpected == 100 && $0.from == nil && $0.to == nil })
  }

  @Test("an hour without a value is listed if values are expected in it, and otherwise not")
  func emptyHours() throws {
    let (from, to) = (try instant("2024-05-02T06:00:00Z"), try instant("2024-05-02T08:59:59Z"))
    var values = QuarterHours()
    values.add(.imported(from, 100))
    let found = GroupedStatistics(values, by: .hour, from: from, to: to, clock: ReportClocks.utc)
    #expect(found.groups.map(\.key) == [.hour(6), .hour(7), .hour(8)])
    #expect(found.groups.map(\.part.count) == [1, 0, 0] && found.groups.map(\.part.expected) == [4, 4, 4])
  }

  @Test("a week begins on Monday, and a month on its first day, in local time")
  func calendar() throws {
    // Sunday 31 March 2024, 23:30 in Rome, and half an hour later: another day, week and month.
    let (before, after) = (try instant("2024-03-31T21:30:00Z"), try instant("2024-03-31T22:00:00Z"))
    var values = QuarterHours()
    for time in [before, after] { values.add(.imported(time, 100)) }
    func found(_ grouping: StatisticsGrouping) -> [StatisticsGroup] {
      GroupedStatistics(values, by: grouping, from: nil, to: nil, clock: .rome).groups
    }
    let march25 = WallClock.rome.day(try instant("2024-03-25T12:00:00Z"))
    #expect(found(.day).map(\.key) == [.day(march25 + 6), .day(march25 + 7)])
    #expect(found(.week).map(\.key) == [.week(monday: march25), .week(monday: march25 + 7)])
    #expect(found(.month).map(\.key) == [.month(first: march25 - 24), .month(first: march25 + 7)])
    // Summer time began in that week and that month, which lack an hour.
    #expect(found(.week).map(\.part.expected) == [7 * 96 - 4, 7 * 96])
    #expect(found(.month).map(\.part.expected) == [31 * 96 - 4, 30 * 96])
    #expect(found(.month).map(\.from) == [try instant("2024-02-29T23:00:00Z"), after])
    #expect(found(.week).map(\.to) == [try instant("2024-03-31T21:59:59Z"), try instant("2024-04-07T21:59:59Z")])
    #expect(found(.month).map(\.values.count) == [1, 1])
  }

  @Test("February has 29 days in a leap year, and December ends with the year")
  func months() throws {
    for (text, days) in [
      ("2024-02-10T00:00:00Z", 29), ("2023-02-10T00:00:00Z", 28), ("2024-12-31T23:45:00Z", 31),
      ("2024-04-30T00:00:00Z", 30),
    ] {
      var values = QuarterHours()
      values.add(.imported(try instant(text), 100))
      let found = GroupedStatistics(values, by: .month, from: nil, to: nil, clock: ReportClocks.utc)
      #expect(found.groups.map(\.part.expected) == [days * 96], "\(text)")
    }
  }

  @Test("a week that the period cuts off expects only the values within the period")
  func cut() throws {
    let (from, to) = (try instant("2024-05-02T00:00:00Z"), try instant("2024-05-07T11:59:59Z"))
    let found = GroupedStatistics(
      hours(from, to, ReportClocks.utc), by: .week, from: from, to: to, clock: ReportClocks.utc)
    #expect(found.groups.map(\.part.expected) == [4 * 96, 96 + 48])
    #expect(found.groups.map(\.part.percentOfExpected) == [100, 100])
    #expect(found.groups.map(\.from) == [from, try instant("2024-05-06T00:00:00Z")])
    #expect(found.groups.map(\.to) == [try instant("2024-05-05T23:59:59Z"), to])
  }

  @Test("a source expects the quarters from its first counted value to its last")
  func sources() throws {
    let start = try instant("2024-05-02T00:00:00Z")
    var values = QuarterHours()
    for quarter in [0, 1, 3] { values.add(.imported(start.adding(minutes: 15 * quarter), 100)) }
    // The first that is there stays, so that of these only one counts.
    for quarter in [3, 4] { values.add(.imported(start.adding(minutes: 15 * quarter), 200, source: "xdrip")) }
    let found = GroupedStatistics(values, by: .sensor, from: nil, to: nil, clock: ReportClocks.utc)
    #expect(
      found.groups.map(\.key)
        == ["libreview", "xdrip"].map { .source(.imported(source: $0, device: nil)) })
    #expect(found.groups.map(\.part.count) == [3, 1] && found.groups.map(\.part.expected) == [4, 1])
    #expect(found.groups.map(\.from) == [start, start.adding(minutes: 60)])
  }

  @Test("in every grouping, each value counts in one group, and hours and days expect the whole period")
  func partition() throws {
    let (from, to) = (try instant("2024-10-20T09:10:00Z"), try instant("2024-11-20T17:50:00Z"))
    var values = hours(from, to, .rome)
    values.add(.imported(try instant("2024-11-20T17:47:00Z"), 250, source: "xdrip"))
    let total = StatisticsByDay(values, from: from, to: to, clock: WallClock.rome.localClock).total
    for grouping in StatisticsGrouping.allCases {
      let groups = GroupedStatistics(values, by: grouping, from: from, to: to, clock: .rome).groups
      #expect(groups.map(\.part.count).reduce(0, +) == total.count, "\(grouping)")
      #expect(groups.flatMap(\.values).sorted { $0.time < $1.time } == values.points, "\(grouping)")
      if grouping != .sensor {
        #expect(groups.map(\.part.expected).reduce(0, +) == total.expected, "\(grouping)")
      }
    }
  }
}
