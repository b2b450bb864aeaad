// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

struct InstantTests {
  @Test("a time prints as RFC 3339 in UTC or with the offset of a place, and is read back")
  func printed() {
    for (seconds, offset, text) in [
      (0, 0, "1970-01-01T00:00:00Z"), (-1, 0, "1969-12-31T23:59:59Z"), (951_827_696, 0, "2000-02-29T12:34:56Z"),
      (1_795_242_600, 0, "2026-11-21T06:30:00Z"), (4_107_542_400, 0, "2100-03-01T00:00:00Z"),
      (1_714_644_900, 7_200, "2024-05-02T12:15:00+02:00"), (1_714_644_900, -12_600, "2024-05-02T06:45:00-03:30"),
      (1_714_644_900, -43_200, "2024-05-01T22:15:00-12:00"), (1_714_644_900, 49_500, "2024-05-03T00:00:00+13:45"),
    ] as [(Int64, Int, String)] {
      #expect(Instant(secondsSince1970: seconds).rfc3339(offsetSeconds: offset) == text)
      #expect(Instant(rfc3339: text)?.secondsSince1970 == seconds)
    }
    #expect(Instant(secondsSince1970: 951_827_696).rfc3339 == "2000-02-29T12:34:56Z")
  }

  @Test("other notations of a time give the same time")
  func otherForms() {
    for text in [
      "2026-11-21T06:30:00Z", "2026-11-21t06:30:00z", "2026-11-21 06:30:00Z", "2026-11-21T06:30:00.999Z",
      "2026-11-21T08:30:00+02:00", "2026-11-21T01:00:00-05:30", "2026-11-22T00:30:00+18:00",
    ] {
      #expect(Instant(rfc3339: text)?.secondsSince1970 == 1_795_242_600, "\(text)")
    }
  }

  @Test(
    "a time that would need guessing is refused",
    arguments: [
      "", "2026-11-21", "2026-11-21T06:30", "2026-11-21T06:30:00", "2026-11-21T06:30:00+0200", "2026-11-21T06:30:00.Z",
      "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-10T00:00:00Z", "2026-04-31T00:00:00Z",
      "2026-11-21T24:00:00Z", "2026-11-21T06:60:00Z", "2026-11-21T06:30:61Z", "2026-11-21T06:30:00+24:00",
      "2026-11-21T06:30:00Z ", " 2026-11-21T06:30:00Z", "26-11-21T06:30:00Z", "2026-1a-21T06:30:00Z", "yesterday",
    ])
  func refused(text: String) {
    #expect(Instant(rfc3339: text) == nil)
  }

  @Test("minutes are added as sixty seconds each, forwards and backwards")
  func adding() {
    let instant = Instant(secondsSince1970: 1_000)
    #expect([3, -20_945].map { instant.adding(minutes: $0).secondsSince1970 } == [1_180, -1_255_700])
    #expect(instant.adding(minutes: -1) < instant)
  }
}

struct CivilTimeTests {
  @Test("every day of four centuries follows the day before it in the Gregorian calendar")
  func everyDay() {
    // Counted forward with the Gregorian leap rule from 1600-01-01, which is 135 140 days before 1970.
    var (year, month, day) = (1_600, 1, 1)
    var wrong = 0
    for number in -135_140..<(-135_140 + 146_097 + 366) {
      let civil = CivilTime(Instant(secondsSince1970: Int64(number) * 86_400 + 3_661))
      if (civil.year, civil.month, civil.day) != (year, month, day) { wrong += 1 }
      if (civil.hour, civil.minute, civil.second) != (1, 1, 1) { wrong += 1 }
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      day += 1
      if day > lengths[month - 1] { (month, day) = (month + 1, 1) }
      if month > 12 { (year, month) = (year + 1, 1) }
    }
    #expect(wrong == 0)
    #expect((year, month, day) == (2_001, 1, 1))
  }

  @Test("seconds before 1970 belong to the day before, also by an offset")
  func beforeTheEpoch() {
    for civil in [
      CivilTime(Instant(secondsSince1970: -1)), CivilTime(Instant(secondsSince1970: 0), offsetSeconds: -1),
    ] {
      #expect((civil.year, civil.month, civil.day) == (1969, 12, 31))
      #expect((civil.hour, civil.minute, civil.second) == (23, 59, 59))
    }
  }
}
