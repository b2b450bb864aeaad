// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import GlucoseReport

struct TimeStepTests {
  private func marks(_ step: TimeStep, _ from: String, _ to: String, _ clock: WallClock = .rome) throws -> [String] {
    try step.marks(
      from: #require(Instant(rfc3339: from)), to: #require(Instant(rfc3339: to)), clock: clock
    ).map { "\($0.name) \($0.time.rfc3339.dropFirst(11).prefix(5))" }
  }

  @Test("an hour that the clock skips has no mark, an hour that repeats has two")
  func clockChange() throws {
    #expect(
      try marks(.seconds(3_600), "2024-03-30T23:00:00Z", "2024-03-31T02:00:00Z")
        == ["31 Mar 23:00", "01:00 00:00", "03:00 01:00", "04:00 02:00"])
    #expect(
      try marks(.seconds(3_600), "2024-10-26T22:00:00Z", "2024-10-27T02:00:00Z")
        == ["27 Oct 22:00", "01:00 23:00", "02:00 00:00", "02:00 01:00", "03:00 02:00"])
    #expect(
      try marks(.seconds(21_600), "2024-03-30T17:00:00Z", "2024-03-31T16:00:00Z")
        == ["18:00 17:00", "31 Mar 23:00", "06:00 04:00", "12:00 10:00", "18:00 16:00"])
    #expect(
      try marks(.days(1), "2024-10-26T00:00:00Z", "2024-10-29T00:00:00Z")
        == ["27 Oct 22:00", "28 Oct 23:00", "29 Oct 23:00"])
  }

  @Test("a midnight that the clock skips is marked at the change, one that repeats at its first time")
  func midnight() throws {
    // A clock at UTC that is put forward, or back, by an hour at 2024-05-03T00:00:00Z, or an hour later.
    let forward = WallClock(LocalClock { $0.secondsSince1970 < 1_714_694_400 ? 0 : 3_600 })
    #expect(
      try marks(.seconds(3_600), "2024-05-02T22:00:00Z", "2024-05-03T01:00:00Z", forward)
        == ["22:00 22:00", "23:00 23:00", "3 May 00:00", "01:00 00:00", "02:00 01:00"])
    let back = WallClock(LocalClock { $0.secondsSince1970 < 1_714_698_000 ? 0 : -3_600 })
    #expect(
      try marks(.seconds(3_600), "2024-05-02T23:00:00Z", "2024-05-03T02:00:00Z", back)
        == ["23:00 23:00", "3 May 00:00", "01:00 02:00"])
  }

  @Test("a day that a time zone skipped has no mark")
  func dateLine() throws {
    // Samoa went from UTC−10 to UTC+14 at the end of 2011-12-29.
    let samoa = WallClock(
      LocalClock(zoneName: "Pacific/Apia") { $0.secondsSince1970 < 1_325_239_200 ? -36_000 : 50_400 })
    #expect(
      try marks(.days(1), "2011-12-29T00:00:00Z", "2012-01-01T00:00:00Z", samoa)
        == ["29 Dec 10:00", "31 Dec 10:00", "1 Jan 10:00"])
  }

  @Test("weeks begin on Mondays, a sensor's weeks on the weekday of its start")
  func weeks() throws {
    #expect(
      try marks(.days(7), "2024-05-01T00:00:00Z", "2024-05-20T00:00:00Z") == [
        "6 May 22:00", "13 May 22:00", "20 May 22:00",
      ])
    #expect(
      try marks(.days(7), "1970-01-01T00:00:00Z", "1970-01-16T00:00:00Z", .sensorAge)
        == ["day 1 00:00", "day 8 00:00", "day 15 00:00"])
    #expect(
      try marks(.seconds(43_200), "1970-01-02T06:00:00Z", "1970-01-03T12:00:00Z", .sensorAge)
        == ["12:00 12:00", "day 3 00:00", "12:00 12:00"])
  }

  @Test("months and years are marked at their beginning")
  func months() throws {
    #expect(
      try marks(.months(3), "2023-12-01T00:00:00Z", "2024-08-01T00:00:00Z")
        == ["2024 23:00", "Apr 22:00", "Jul 22:00"])
    #expect(
      try marks(.months(1_200), "1700-01-01T00:00:00Z", "2024-08-01T00:00:00Z")
        == ["1800 23:00", "1900 23:00", "2000 23:00"])
  }
}
