// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// A day of a report: number and name on the clock, and whether the clock changed.
struct ReportDay {
  let day: StatisticsByDay.Day
  /// Days since 1970-01-01, or since the sensor was started.
  let number: Int
  /// Name: `Thu 2024-05-02`, `day 3`.
  let name: String
  let isClockChanged: Bool

  /// Creates a day of a report; nil for a day without values.
  init?(_ day: StatisticsByDay.Day, clock: WallClock) {
    guard let first = day.values.first else { return nil }
    self.day = day
    number = clock.day(first.time)
    let date = clock.name(ofDay: number)
    name = clock.kind == .sensorAge ? date : "\(Self.weekday(number)) \(date)"
    // The day's ends by the offset of its first value. After a clock change in between, one of them has another offset.
    let start = Int64(number) * Instant.secondsPerDay - Int64(clock.offsetSeconds(first.time))
    let ends = [start, start + Instant.secondsPerDay - 1].map { clock.offsetSeconds(Instant(secondsSince1970: $0)) }
    isClockChanged = ends[0] != ends[1]
  }

  private static func weekday(_ day: Int) -> String {
    // 1970-01-01 was a Thursday.
    ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][day.floorDivided(by: 7).remainder]
  }
}
