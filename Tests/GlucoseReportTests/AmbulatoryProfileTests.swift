// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import GlucoseReport

struct AmbulatoryProfileTests {
  private static let start: Int64 = 1_714_608_000  // 2024-05-02T00:00:00Z

  private func point(day: Int, quarter: Int, _ value: Double) -> GlucosePoint {
    GlucosePoint(Instant(secondsSince1970: Self.start + Int64(day) * 86_400 + Int64(quarter) * 900 + 420), value)
  }

  @Test("percentiles are interpolated between the closest ranks: 5, 25, 50, 75 and 95 % of 100, 110 … 200")
  func percentiles() throws {
    // Not in the order of their values.
    let points = (0...10).map { point(day: $0, quarter: 32, 100 + Double($0 * 7 % 11) * 10) }
    let profile = try #require(AmbulatoryProfile(points, clock: ReportClocks.utc))
    #expect(profile.days == 11 && profile.quarters.count == 96)
    #expect(profile.quarters[32].count == 11 && profile.quarters[32].percentiles == [105, 125, 150, 175, 195])
    #expect(profile.quarters[31].percentiles == nil && profile.quarters.map(\.count).reduce(0, +) == 11)
  }

  @Test("fewer than five days give no profile, and fewer than three values in a quarter give no percentiles")
  func few() throws {
    let four = (0..<4).flatMap { day in (0..<96).map { point(day: day, quarter: $0, 100) } }
    #expect(AmbulatoryProfile(four, clock: ReportClocks.utc) == nil)
    #expect(AmbulatoryProfile([], clock: ReportClocks.utc) == nil)
    let profile = try #require(
      AmbulatoryProfile(four + [point(day: 4, quarter: 0, 100)], clock: ReportClocks.utc))
    #expect(profile.days == 5 && profile.quarters.allSatisfy { $0.percentiles != nil })
    let thin = (0..<5).map { point(day: $0, quarter: $0 < 2 ? 10 : 20, 100) }
    #expect(try #require(AmbulatoryProfile(thin, clock: ReportClocks.utc)).quarters[10].percentiles == nil)
  }

  @Test("the drawn curve is the mean of five quarters, weighted 1 2 3 2 1, also across midnight")
  func smoothed() throws {
    let points = (0..<5).flatMap { day in (0..<96).map { point(day: day, quarter: $0, $0 == 0 ? 190 : 100) } }
    let drawn = try #require(AmbulatoryProfile(points, clock: ReportClocks.utc)).smoothed
    let medians = drawn.map { $0?[2] }
    #expect(medians[0] == 130 && medians[1] == 120 && medians[95] == 120 && medians[2] == 110 && medians[94] == 110)
    #expect(medians[3] == 100 && medians[50] == 100)
  }

  @Test("a quarter belongs to the local time of day, before and after a clock change")
  func clock() throws {
    // Summer time from the third day on: 08:00 on the clock is an hour earlier then.
    let rome = WallClock(
      LocalClock(zoneName: "Europe/Rome") { $0.secondsSince1970 < Self.start + 2 * 86_400 ? 3_600 : 7_200 })
    let points = (0..<6).map { point(day: $0, quarter: $0 < 2 ? 28 : 24, 100) }
    let profile = try #require(AmbulatoryProfile(points, clock: rome))
    #expect(profile.quarters[32].count == 6)
  }
}
