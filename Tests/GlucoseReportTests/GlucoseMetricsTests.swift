// SPDX-License-Identifier: Apache-2.0
import CGMModel
import GlucoseReport
import Testing

/// Metrics of the values themselves, by hand: formulas in their doc comments.
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

  @Test("four values have the expected GMI, eA1C, J, GRI and COGI")
  func composites() throws {
    let metrics = try metrics([60, 100, 140, 200])
    // Mean 125, SD √(10 700 / 3) = 59.721 576.
    #expect(metrics.basics.mean == 125 && metrics.percentActive == 80)
    #expect(try isNear(metrics.days, 45.0 / 1_440))
    #expect(try isNear(metrics.gmi, 6.3))
    #expect(try isNear(metrics.estimatedA1C, 171.7 / 28.7))
    #expect(try isNear(metrics.jIndex, 34.122_060_722_640_77))
    // A quarter is low, a quarter high: 2.4 × 25 + 0.8 × 25.
    #expect(metrics.gri == 80)
    // Half of 50 % in range, nothing for 25 % below, and of the SD's 15 points 48.278 / 90.
    #expect(try isNear(metrics.cogi, 33.046_403_962_683_93))
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

  @Test("low and high values count as risks by their distance from 112.5 mg/dL, over all values")
  func risk() throws {
    let metrics = try metrics([60, 100, 140, 200])
    #expect(try isNear(metrics.lbgi, 3.513_163_374_238_823))
    #expect(try isNear(metrics.hbgi, 3.317_434_004_386_069))
  }

  @Test("the daily risk range is the mean over local days of the risks of the lowest and the highest value")
  func dailyRange() throws {
    // 22:30, 22:45 and 23:00 UTC; in a zone an hour ahead the third is of the next day.
    let points = ReportClocks.points("2024-05-02T22:30:00Z", [60, 200, 100])
    let ahead = WallClock(LocalClock { _ in 3_600 })
    let local = try #require(GlucoseMetrics(points, percentActive: 100, clock: ahead))
    #expect(try isNear(local.adrr, 12.828_244_469_246_972))
    let utc = try #require(GlucoseMetrics(points, percentActive: 100, clock: ReportClocks.utc))
    #expect(try isNear(utc.adrr, 13.570_119_640_017_746 + 11.604_335_320_521_106))
  }

  @Test("GRADE is 10.88 for 180 mg/dL, at most 50, and its parts add up to 100 %")
  func grade() throws {
    // log10(180 / 18) is 1, whose logarithm is 0: 425 × 0.16².
    #expect(try isNear(metrics([180]).grade.score, 10.88))
    let grade = try metrics([60, 100, 140, 300]).grade
    let scores = [6.284_185_842_693_752, 0.435_128_957_414_233_6, 5.124_496_512_648_761, 25.932_488_489_784_57]
    let sum = scores.reduce(0, +)
    #expect(try isNear(grade.score, sum / 4))
    #expect(try isNear(grade.percentHypoglycaemia, 100 * scores[0] / sum))
    #expect(try isNear(grade.percentEuglycaemia, 100 * (scores[1] + scores[2]) / sum))
    #expect(try isNear(grade.percentHyperglycaemia, 100 * scores[3] / sum))
    #expect(try metrics([18.001, 18, 5, 0, -3]).grade.score == 50)
    // 70 counts as within, as everywhere.
    #expect(try metrics([70]).grade.percentEuglycaemia == 100)
  }

  @Test("without values there are no metrics; one value has those that need no second one")
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
  }

  @Test("equal values have no variability, and no excursions")
  func equal() throws {
    let metrics = try metrics([Double](repeating: 104.3, count: 3 * 96))
    #expect(metrics.modd == 0 && metrics.conga == 0 && metrics.mag == 0 && metrics.mage == nil)
    #expect(metrics.basics.standardDeviation.map { $0 < 1e-9 } == true)
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

  @Test(
    "values three hours apart have no excursions and no rate of change; values 15 minutes apart have both",
    arguments: [15, 180])
  func many(_ minutes: Int) throws {
    let count = 5_000
    let metrics = try metrics((0..<count).map { 100 + 60 * Double($0 * 7_919 % 101) / 101 }, every: minutes)
    #expect(metrics.basics.count == count)
    // Three hours are more than both moving averages reach, so there they are the same.
    #expect((metrics.mage == nil) == (minutes == 180) && (metrics.mag == nil) == (minutes == 180))
  }
}
