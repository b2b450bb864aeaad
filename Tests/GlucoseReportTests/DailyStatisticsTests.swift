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

  @Test("70 and 180 are in range, values just outside are not")
  func limits() throws {
    let statistics = try #require(DailyStatistics([69.99, 70, 180, 180.01]))
    #expect((statistics.percentBelow, statistics.percentInRange, statistics.percentAbove) == (25, 50, 25))
    #expect(statistics.lowest == 69.99 && statistics.highest == 180.01)
  }

  @Test("one value has no spread, and an empty list has no statistics")
  func few() throws {
    let one = try #require(DailyStatistics([100]))
    #expect(one.standardDeviation == nil && one.coefficientOfVariation == nil && one.mean == 100)
    #expect(DailyStatistics([]) == nil)
  }
}
