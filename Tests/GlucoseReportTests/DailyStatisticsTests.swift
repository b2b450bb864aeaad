// SPDX-License-Identifier: Apache-2.0
import GlucoseReport
import Testing

struct DailyStatisticsTests {
  @Test("if all values are in range, the share is 100 %, for every number of values")
  func all() throws {
    for count in 1...400 {
      #expect(try #require(DailyStatistics(Array(repeating: 100, count: count))).percentInRange == 100)
    }
  }

  @Test("mean, SD with n − 1, CV and extremes of four values match a calculation by hand")
  func byHand() throws {
    let statistics = try #require(DailyStatistics([60, 100, 140, 200]))
    #expect(statistics.count == 4)
    #expect(statistics.mean == 125)
    // 65² + 25² + 15² + 75² = 10 700, over 3.
    #expect(abs(try #require(statistics.standardDeviation) - 59.721_576_2) < 1e-6)
    #expect(abs(try #require(statistics.coefficientOfVariation) - 47.777_261) < 1e-5)
    #expect(statistics.lowest == 60 && statistics.highest == 200)
    #expect((statistics.percentBelow, statistics.percentInRange, statistics.percentAbove) == (25, 50, 25))
  }

  @Test("70 and 180 are in range, values just outside are not")
  func limits() throws {
    let statistics = try #require(DailyStatistics([69.99, 70, 180, 180.01]))
    #expect((statistics.percentBelow, statistics.percentInRange, statistics.percentAbove) == (25, 50, 25))
  }

  @Test("one value has no spread, and an empty list has no statistics")
  func few() throws {
    let one = try #require(DailyStatistics([100]))
    #expect(one.standardDeviation == nil && one.coefficientOfVariation == nil && one.mean == 100)
    #expect(DailyStatistics([]) == nil)
  }
}
