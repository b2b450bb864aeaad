// SPDX-License-Identifier: Apache-2.0
import CGMModel
import GlucoseReport
import Testing

/// Limits and odd values of the metrics; `IgluTests` holds their formulas.
struct GlucoseMetricsTests {
  private func metrics(_ values: [Double], every minutes: Int = 15) throws -> GlucoseMetrics {
    try #require(
      GlucoseMetrics(
        ReportClocks.points("2024-05-02T08:00:00Z", values, every: minutes), percentActive: 80, clock: ReportClocks.utc)
    )
  }

  private func isNear(_ value: Double?, _ expected: Double) throws -> Bool {
    abs(try #require(value) - expected) < 1e-9
  }

  @Test("each range has its limits, and the glycemia risk index ends at 100")
  func ranges() throws {
    let ranges = try metrics([53.9, 54, 62.9, 63, 69.9, 70, 140, 140.1, 180, 180.1, 250, 250.1]).ranges
    let shares = [
      ranges.veryLow, ranges.low, ranges.target, ranges.high, ranges.veryHigh, ranges.tight, ranges.pregnancy,
      ranges.belowPregnancy, ranges.abovePregnancy,
    ]
    for (share, count) in zip(shares, [1.0, 4, 4, 2, 1, 2, 4, 3, 5]) { #expect(try isNear(share, 100 * count / 12)) }
    #expect(try metrics([40]).gri == 100)
    #expect(try metrics([100]).gri == 0)
    #expect(try metrics([300, 100]).gri == 80)
  }

  @Test("the daily risk range is the mean over local days of the risks of the lowest and the highest value")
  func dailyRange() throws {
    // 22:30, 22:45 and 23:00 UTC: in this zone the third is of the next day.
    let points = ReportClocks.points("2024-05-02T22:30:00Z", [60, 200, 100])
    let ahead = WallClock(LocalClock { _ in 3_600 })
    let local = try #require(GlucoseMetrics(points, percentActive: 80, clock: ahead))
    #expect(try isNear(local.adrr, 12.828_244_469_246_972) && local.percentActive == 80)
  }

  @Test("GRADE is at most 50, and 70 mg/dL counts as within the range")
  func gradeLimits() throws {
    #expect(try metrics([18.001, 18, 5, 0, -3]).grade.score == 50)
    #expect(try metrics([70]).grade.percentEuglycaemia == 100)
  }

  @Test(
    "without values there are no metrics; one value has those that need no second one; equal values have no variability"
  )
  func few() throws {
    #expect(GlucoseMetrics([], percentActive: 0, clock: ReportClocks.utc) == nil)
    let one = try metrics([100])
    #expect(one.days == 0 && one.basics.mean == 100 && one.ranges.target == 100)
    #expect(one.jIndex == nil && one.cogi == nil && one.modd == nil && one.conga == nil && one.mag == nil)
    #expect(one.mage == nil && one.adrr != nil)
    #expect(one.episodes.allSatisfy { $0.count == 0 && $0.perDay == 0 && $0.meanMinutes == nil })
    // 08:07 is not on the grid, so there is no time in which episodes could be counted.
    let off = try #require(
      GlucoseMetrics(
        ReportClocks.points("2024-05-02T08:07:00Z", [40]), percentActive: 1, clock: ReportClocks.utc))
    #expect(off.episodes.allSatisfy { $0.count == 0 && $0.perDay == nil })
    let equal = try metrics([Double](repeating: 104.3, count: 3 * 96))
    #expect(equal.modd == 0 && equal.conga == 0 && equal.mag == 0 && equal.mage == nil)
    #expect(equal.basics.standardDeviation.map { $0 < 1e-9 } == true)
  }

  @Test(
    "extreme and odd values give numbers, never infinity or NaN",
    arguments: [
      [0], [0, 0], [1, 1, 1], [-5, -3, 0, 0.5], [0.999, 1, 1.001], [17.9, 18, 18.1, 500], [1e6, 2e6, -1e6],
      (0..<12).map { $0 % 2 == 0 ? 0 : 1_000 },
    ] as [[Double]])
  func odd(_ values: [Double]) throws {
    for minutes in [0, 1, 15, 45, 46, 200, 3_000] {
      for (name, value) in try metrics(values, every: minutes).figures {
        if let value { #expect(value.isFinite, "\(name) of \(values) every \(minutes)") }
      }
    }
  }

  @Test("values two years apart need no grid between them")
  func apart() throws {
    let points =
      ReportClocks.points("2022-05-02T08:00:00Z", [60, 100, 140])
      + ReportClocks.points("2024-05-02T08:00:00Z", [100, 200])
    let metrics = try #require(GlucoseMetrics(points, percentActive: 0.1, clock: ReportClocks.utc))
    #expect(metrics.modd == nil && metrics.conga == nil)
    // 40, 40 and 100 in three quarters of an hour.
    #expect(try isNear(metrics.mag, 240))
    #expect(metrics.days > 731 && metrics.days < 731.1)
    let longAgo = ReportClocks.points("0001-01-01T08:00:00Z", [60]) + ReportClocks.points("9998-05-02T08:00:00Z", [100])
    #expect(GlucoseMetrics(longAgo, percentActive: 0.1, clock: ReportClocks.utc)?.modd == nil)
  }
}
