// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import GlucoseReport

/// Limits and odd values of the grid and of what is computed on it; `IgluTests` hold the rest.
struct UniformGridTests {
  private func grid(
    _ points: [GlucosePoint], minutes: Int = 15, clock: WallClock = ReportClocks.utc
  ) -> UniformGrid { UniformGrid(points, minutes: minutes, clock: clock) }

  /// Time of day and value of each point.
  private func table(_ grid: UniformGrid, clock: WallClock = ReportClocks.utc) -> [String] {
    grid.points.map { "\(clock.timeOfDay(grid.time($0.index))) \($0.value)" }
  }

  // MARK: The grid

  @Test("a gap of 45 minutes is bridged, one of 46 stays empty, and values at its ends count")
  func gaps() {
    #expect(
      table(grid(ReportClocks.points("2024-05-02T10:00:00Z", [100, 145], every: 45)))
        == ["10:00 100.0", "10:15 115.0", "10:30 130.0", "10:45 145.0"])
    #expect(table(grid(ReportClocks.points("2024-05-02T09:59:00Z", [100, 146], every: 46))) == ["10:45 146.0"])
    #expect(
      table(grid(ReportClocks.points("2024-05-02T10:00:00Z", [100, 146, 146], every: 60)))
        == ["10:00 100.0", "11:00 146.0", "12:00 146.0"])
  }

  @Test("quarters are those of the local clock, also at 5:45 or 0:20 ahead of UTC, and on days of a clock change")
  func clocks() {
    for offset in [20_700, 1_200, -12_600] {
      let clock = WallClock(LocalClock { _ in offset })
      let grid = grid(ReportClocks.points("2024-05-02T10:07:00Z", [100, 100, 100]), clock: clock)
      #expect(grid.points.count == 2)
      #expect(grid.points.allSatisfy { clock.secondOfDay(grid.time($0.index)) % 900 == 0 })
    }
    for (start, expected) in [("2024-03-31T00:50:00Z", "03:00"), ("2024-10-27T00:50:00Z", "02:00")] {
      let grid = grid(ReportClocks.points(start, [100, 100]), clock: WallClock.rome)
      #expect(table(grid, clock: WallClock.rome) == ["\(expected) 100.0"])
    }
  }

  @Test("values at the same time, or out of order, still give each step once and in order")
  func disorder() {
    #expect(grid([]).points.isEmpty)
    let points = ReportClocks.points("2024-05-02T10:00:00Z", [100, 101, 102], every: 0)
    #expect(table(grid(points)) == ["10:00 100.0"])
    let turned = Array(ReportClocks.points("2024-05-02T10:00:00Z", [100, 130, 100, 130]).reversed())
    let indices = grid(turned).points.map(\.index)
    #expect(!indices.isEmpty && indices == Set(indices).sorted())
  }

  // MARK: Differences

  @Test(
    "values that follow local time have no daily differences, although the day has 23 or 25 hours",
    arguments: ["2024-03-29T23:00:00Z", "2024-10-25T22:00:00Z"])
  func clockChange(_ start: String) throws {
    let clock = WallClock.rome
    let points = ReportClocks.points(start, [Double](repeating: 0, count: 4 * 96)).map { point in
      GlucosePoint(point.time, Double(clock.secondOfDay(point.time)) / 900)
    }
    let grid = grid(points, clock: clock)
    #expect(grid.meanOfDailyDifferences(clock: clock) == 0)
    // 24 hours of elapsed time before, the clock showed an hour more or less for a day.
    #expect(try #require(grid.continuousOverallNetAction(hours: 24)) > 1)
    #expect(try #require(grid.meanOfDailyDifferences(clock: ReportClocks.utc)) > 1)
  }

  @Test("of the repeated hour, the first is compared with the day before and the second with the day after")
  func twice() {
    // 02:30 in Rome on 26 October, both on the 27th, and on the 28th.
    let times = ["2024-10-26T00:30:00Z", "2024-10-27T00:30:00Z", "2024-10-27T01:30:00Z", "2024-10-28T01:30:00Z"]
    let points = zip(times, [100, 110, 150, 153]).flatMap { ReportClocks.points($0, [$1]) }
    #expect(grid(points, clock: WallClock.rome).meanOfDailyDifferences(clock: WallClock.rome) == 6.5)
  }

  // MARK: Episodes

  private func episodes(_ values: [Double]) -> [EpisodeCount] {
    let grid = grid(ReportClocks.points("2024-05-02T10:00:00Z", values))
    return EpisodeCount.Kind.allCases.map { EpisodeCount($0, in: grid) }
  }

  @Test("an episode has at least 15 minutes, ends with one value back in range, and counts for each level it reaches")
  func levels() {
    let counts = episodes([69.9, 70, 53, 60, 70, 180, 180.1, 251, 250, 100])
    #expect(counts.map(\.count) == [2, 1, 0, 1, 1])
    #expect(counts.map(\.meanMinutes) == [22.5, 15, nil, 45, 15])
    // Ten quarters of an hour have values: 9.6 times as long is a day.
    #expect(counts.map(\.perDay) == [19.2, 9.6, 0, 9.6, 9.6])
    // The episodes last 120 and 135 minutes; the second is prolonged.
    let lows = episodes([Double](repeating: 60, count: 8) + [70] + [Double](repeating: 60, count: 9))
    #expect(lows.map(\.count) == [2, 0, 1, 0, 0] && lows.map(\.meanMinutes) == [127.5, nil, 135, nil, nil])
  }
}

extension UniformGrid {
  fileprivate var points: [Point] { Array(self) }
}
