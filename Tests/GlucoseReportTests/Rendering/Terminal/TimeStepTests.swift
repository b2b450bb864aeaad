// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import GlucoseReport

struct TimeStepTests {
  // A clock at UTC that is put forward, or back, by an hour at 2024-05-03T00:00:00Z, or an hour later.
  private static let forward = WallClock(LocalClock { $0.secondsSince1970 < 1_714_694_400 ? 0 : 3_600 })
  private static let back = WallClock(LocalClock { $0.secondsSince1970 < 1_714_698_000 ? 0 : -3_600 })
  /// Samoa went from UTC−10 to UTC+14 at the end of 2011-12-29.
  private static let samoa = WallClock(
    LocalClock(zoneName: "Pacific/Apia") { $0.secondsSince1970 < 1_325_239_200 ? -36_000 : 50_400 })

  @Test("marks are at round local times, also where the clock changes")
  func marks() throws {
    for (rule, step, from, to, clock, marks) in [
      (
        "an hour that the clock skips has no mark", .seconds(3_600), "2024-03-30T23:00", "2024-03-31T02:00", .rome,
        ["31 Mar 23:00", "01:00 00:00", "03:00 01:00", "04:00 02:00"]
      ),
      (
        "an hour that repeats has two", .seconds(3_600), "2024-10-26T22:00", "2024-10-27T02:00", .rome,
        ["27 Oct 22:00", "01:00 23:00", "02:00 00:00", "02:00 01:00", "03:00 02:00"]
      ),
      (
        "six hours are counted by the clock", .seconds(21_600), "2024-03-30T17:00", "2024-03-31T16:00", .rome,
        ["18:00 17:00", "31 Mar 23:00", "06:00 04:00", "12:00 10:00", "18:00 16:00"]
      ),
      (
        "so are days", .days(1), "2024-10-26T00:00", "2024-10-29T00:00", .rome,
        ["27 Oct 22:00", "28 Oct 23:00", "29 Oct 23:00"]
      ),
      (
        "a midnight that the clock skips is marked at the change", .seconds(3_600), "2024-05-02T22:00",
        "2024-05-03T01:00", Self.forward, ["22:00 22:00", "23:00 23:00", "3 May 00:00", "01:00 00:00", "02:00 01:00"]
      ),
      (
        "a midnight that repeats is marked at its first time", .seconds(3_600), "2024-05-02T23:00", "2024-05-03T02:00",
        Self.back, ["23:00 23:00", "3 May 00:00", "01:00 02:00"]
      ),
      (
        "a day that a time zone skipped has no mark", .days(1), "2011-12-29T00:00", "2012-01-01T00:00", Self.samoa,
        ["29 Dec 10:00", "31 Dec 10:00", "1 Jan 10:00"]
      ),
      (
        "weeks begin on Mondays", .days(7), "2024-05-01T00:00", "2024-05-20T00:00", .rome,
        ["6 May 22:00", "13 May 22:00", "20 May 22:00"]
      ),
      (
        "a sensor's weeks begin on the weekday of its start", .days(7), "1970-01-01T00:00", "1970-01-16T00:00",
        .sensorAge, ["day 1 00:00", "day 8 00:00", "day 15 00:00"]
      ),
      (
        "a sensor's days are counted", .seconds(43_200), "1970-01-02T06:00", "1970-01-03T12:00", .sensorAge,
        ["12:00 12:00", "day 3 00:00", "12:00 12:00"]
      ),
      (
        "months are marked at their beginning", .months(3), "2023-12-01T00:00", "2024-08-01T00:00", .rome,
        ["2024 23:00", "Apr 22:00", "Jul 22:00"]
      ),
      (
        "so are years", .months(1_200), "1700-01-01T00:00", "2024-08-01T00:00", .rome,
        ["1800 23:00", "1900 23:00", "2000 23:00"]
      ),
    ] as [(String, TimeStep, String, String, WallClock, [String])] {
      let found = step.marks(from: try instant(from + ":00Z"), to: try instant(to + ":00Z"), clock: clock)
      #expect(found.map { "\($0.name) \($0.time.rfc3339.dropFirst(11).prefix(5))" } == marks, "\(rule)")
    }
  }
}
