// SPDX-License-Identifier: Apache-2.0
import CGMModel
import CommandSupport
import HostSystem
import LibreKit
import TestSupport
import Testing

@Suite("Times as typed by the user")
struct TimeArgumentTests {
  /// 12:15 in Rome.
  private let now = Instant(secondsSince1970: 1_714_644_900)

  /// Returns the first and the last second of a range in UTC.
  private func span(_ text: String, now: Instant? = nil) -> [String?]? {
    TimeArgument(text, now: now ?? self.now).map { [$0.first?.rfc3339, $0.last?.rfc3339] }
  }

  private func moment(_ text: String) -> String? {
    guard let time = TimeArgument(text, now: now), time.first == time.last else { return nil }
    return time.first?.rfc3339
  }

  private func inRome(_ body: () throws -> Void) rethrows { try ProcessTimeZone.set("Europe/Rome", during: body) }

  @Test("a time with an offset is absolute; without one it is local time, and without a date it is today")
  func moments() {
    inRome {
      for (text, expected) in [
        ("2024-05-02T10:15:00Z", "2024-05-02T10:15:00Z"), ("2024-05-02T10:15:00+05:30", "2024-05-02T04:45:00Z"),
        ("2024-05-02T12:15", "2024-05-02T10:15:00Z"), ("2024-05-02 12:15:00", "2024-05-02T10:15:00Z"),
        ("2024-01-02T12:15", "2024-01-02T11:15:00Z"), ("now", "2024-05-02T10:15:00Z"),
        ("12:15", "2024-05-02T10:15:00Z"), ("00:05", "2024-05-01T22:05:00Z"),
        // An hour that exists twice means the first; one that is skipped is invalid.
        ("2024-10-27T02:30", "2024-10-27T00:30:00Z"), ("2024-10-27T03:00", "2024-10-27T02:00:00Z"),
        ("2024-03-31T02:30", nil),
      ] {
        #expect(moment(text) == expected, "\(text)")
      }
      // Half past midnight in Rome is still the day before in UTC.
      let night = Instant(secondsSince1970: 1_714_602_600)
      #expect(span("00:05", now: night) == ["2024-05-01T22:05:00Z", "2024-05-01T22:05:00Z"])
    }
  }

  @Test("an error names the option and the valid forms; a time must be a single one and may have to be past")
  func options() throws {
    try inRome { () throws in
      #expect(try TimeArgument("all", of: "--from", now: now).first == nil)
      #expect(try TimeArgument.moment("yesterday", of: "--at", now: now).rfc3339 == "2024-04-30T22:00:00Z")
      #expect(try TimeArgument.moment("12:15", of: "--at", now: now, isPast: true) == now)
      for (text, isPast) in [("noon", false), ("all", false), ("12:16", true), ("2031-01-01", true)] {
        let error = #expect(throws: LibreError.self) {
          try TimeArgument.moment(text, of: "--at", now: now, isPast: isPast)
        }
        #expect(error?.message.contains("--at") == true)
      }
      // The time of a measurement needs a time of day, and the error shows how to write it.
      for (text, date) in [("yesterday", "2024-05-01"), ("2024-04-03", "2024-04-03")] {
        let error = #expect(throws: LibreError.self) {
          try TimeArgument.moment(text, of: "--at", now: now, isTimeOfDay: true)
        }
        #expect(error?.allowed.contains("\(date)T12:20") == true)
      }
      for text in ["now", "12:15", "-2h", "2024-05-01T00:00", "1714644900"] {
        _ = try TimeArgument.moment(text, of: "--at", now: now, isTimeOfDay: true)
      }
    }
  }

  @Test("a day lasts from its first to its last second, 23 or 25 hours when clocks change")
  func days() {
    inRome {
      #expect(span("2024-05-02") == ["2024-05-01T22:00:00Z", "2024-05-02T21:59:59Z"])
      #expect(span("today") == span("2024-05-02"))
      #expect(span("yesterday") == ["2024-04-30T22:00:00Z", "2024-05-01T21:59:59Z"])
      #expect(span("2024-03-31") == ["2024-03-30T23:00:00Z", "2024-03-31T21:59:59Z"])
      #expect(span("2024-10-27") == ["2024-10-26T22:00:00Z", "2024-10-27T22:59:59Z"])
      // Half past midnight on the day after: yesterday had 25 hours.
      let monday = Instant(secondsSince1970: 1_729_985_400 + 86_400)
      #expect(span("yesterday", now: monday) == span("2024-10-27"))
    }
    // Clocks went from 23:59:59 to 01:00.
    ProcessTimeZone.set("America/Sao_Paulo") {
      #expect(span("2018-11-04") == ["2018-11-04T03:00:00Z", "2018-11-05T01:59:59Z"])
    }
  }

  @Test("a negative duration is a time before now; seconds and milliseconds since 1970 count from the first sensor on")
  func numbers() {
    for (text, expected) in [
      // A text as long as a time of day.
      ("-100d", "2024-01-23T10:15:00Z"), ("-90min", "2024-05-02T08:45:00Z"), ("-90m", "2024-05-02T08:45:00Z"),
      ("-8h", "2024-05-02T02:15:00Z"), ("-2w", "2024-04-18T10:15:00Z"), ("-0h", "2024-05-02T10:15:00Z"),
      ("1714644900", "2024-05-02T10:15:00Z"), ("1714644900999", "2024-05-02T10:15:00Z"),
      ("1388534400", "2014-01-01T00:00:00Z"),
    ] {
      #expect(moment(text) == expected, "\(text)")
    }
  }

  @Test("\"all\" gives a range without limits, and any other text is refused")
  func others() {
    #expect(span("all") == [nil, nil])
    for text in [
      "", "tomorrow", "Today", "2024-02-30", "2024-5-2", "02.05.2024", "2024-05-02T12", "25:00", "1:15",
      "2024-05-02T12:15:00+2", "-", "-d", "-3", "-3y", "--3d", "3d", "-1.5h", "-1000000d", "-٣d", "1388534399",
      "-1714644900", "9223372036854775807", "99999999999999999999",
    ] {
      #expect(TimeArgument(text, now: now) == nil, "\(text)")
    }
  }
}
