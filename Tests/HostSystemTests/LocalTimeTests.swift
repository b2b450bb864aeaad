// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import HostSystem
import TestSupport
import Testing

@Suite("Local time")
struct LocalTimeTests {
  private let summer = Instant(secondsSince1970: 1_714_644_900)
  private let winter = Instant(secondsSince1970: 1_705_313_700)

  @Test(
    "times are shown with the offset of the zone, also with half hours and if the date changes",
    arguments: [
      ("Europe/Rome", "2024-05-02 12:15:00 +02:00", "2024-01-15 11:15:00 +01:00"),
      ("America/New_York", "2024-05-02 06:15:00 -04:00", "2024-01-15 05:15:00 -05:00"),
      ("Asia/Kolkata", "2024-05-02 15:45:00 +05:30", "2024-01-15 15:45:00 +05:30"),
      ("Pacific/Kiritimati", "2024-05-03 00:15:00 +14:00", "2024-01-16 00:15:00 +14:00"),
      ("UTC", "2024-05-02 10:15:00 +00:00", "2024-01-15 10:15:00 +00:00"),
    ])
  func zones(name: String, inMay: String, inJanuary: String) {
    ProcessTimeZone.set(name) {
      #expect(LocalTime.text(summer) == inMay)
      #expect(LocalTime.text(winter) == inJanuary)
    }
  }

  @Test("agrees with Foundation at both changes of daylight saving time")
  func edges() throws {
    let zone = try #require(TimeZone(identifier: "Europe/Rome"))
    ProcessTimeZone.set("Europe/Rome") {
      for edge in [1_711_846_800, 1_729_990_800] as [Int64] {
        for second in edge - 2...edge + 2 {
          #expect(
            LocalTime.offsetSeconds(at: Instant(secondsSince1970: second))
              == zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(second))))
        }
      }
    }
  }

  @Test("a local time is one time, two in the hour that occurs twice, and none in the skipped hour")
  func wallTimes() {
    func moments(_ hour: Int, _ minute: Int, month: Int, day: Int) -> [String]? {
      guard let wall = CivilTime(year: 2024, month: month, day: day, hour: hour, minute: minute) else { return nil }
      #expect(LocalTime.instant(of: wall) == LocalTime.clock.moments(of: wall).first)
      return LocalTime.clock.moments(of: wall).map(\.rfc3339)
    }
    ProcessTimeZone.set("Europe/Rome") {
      #expect(moments(12, 15, month: 5, day: 2) == ["2024-05-02T10:15:00Z"])
      #expect(moments(1, 59, month: 10, day: 27) == ["2024-10-26T23:59:00Z"])
      #expect(moments(2, 0, month: 10, day: 27) == ["2024-10-27T00:00:00Z", "2024-10-27T01:00:00Z"])
      #expect(moments(2, 59, month: 10, day: 27) == ["2024-10-27T00:59:00Z", "2024-10-27T01:59:00Z"])
      #expect(moments(3, 0, month: 10, day: 27) == ["2024-10-27T02:00:00Z"])
      #expect(moments(2, 30, month: 3, day: 31) == [])
    }
    // Half an hour.
    ProcessTimeZone.set("Australia/Lord_Howe") {
      #expect(moments(1, 45, month: 4, day: 7) == ["2024-04-06T14:45:00Z", "2024-04-06T15:15:00Z"])
    }
  }

  @Test(
    "refuses an unknown zone name and changes nothing",
    arguments: [
      "Mars/Olympus", "Europe", "Europe/", "", "/usr/share/zoneinfo/Europe/Rome", "../zoneinfo/Europe/Rome",
      "Europe/../Europe/Rome", "europe/rome", "Rome", "+02:00",
      // Other files in the zone directory, which libc would silently treat as UTC.
      "zone.tab", "zone1970.tab", "iso3166.tab", "tzdata.zi", "leap-seconds.list",
    ])
  func unknown(name: String) {
    ProcessTimeZone.set("America/New_York") {
      #expect(!LocalTime.isZone(name) && !LocalTime.setZone(name))
      #expect(LocalTime.offsetSeconds(at: summer) == -14_400)
    }
  }
}
