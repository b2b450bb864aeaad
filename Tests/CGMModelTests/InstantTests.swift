// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

struct InstantTests {
  static let moments: [(Int64, String)] = [
    (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"), (951_827_696, "2000-02-29T12:34:56Z"),
    (1_795_242_600, "2026-11-21T06:30:00Z"), (4_107_542_400, "2100-03-01T00:00:00Z"),
  ]

  @Test("a time prints as RFC 3339 in UTC and is read back", arguments: moments)
  func utc(seconds: Int64, text: String) {
    #expect(Instant(secondsSince1970: seconds).rfc3339 == text)
    #expect(Instant(rfc3339: text)?.secondsSince1970 == seconds)
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

  @Test("local notation includes the offset and gives the same time")
  func localForm() {
    let instant = Instant(secondsSince1970: 1_714_644_900)
    #expect(instant.rfc3339 == "2024-05-02T10:15:00Z")
    #expect(instant.rfc3339(offsetSeconds: 7_200) == "2024-05-02T12:15:00+02:00")
    #expect(instant.rfc3339(offsetSeconds: -12_600) == "2024-05-02T06:45:00-03:30")
    #expect(instant.rfc3339(offsetSeconds: -43_200) == "2024-05-01T22:15:00-12:00")
    for offset in [7_200, -12_600, -43_200, 49_500] {
      #expect(Instant(rfc3339: instant.rfc3339(offsetSeconds: offset)) == instant)
    }
  }

  @Test("minutes are added as sixty seconds each, forwards and backwards")
  func adding() {
    let instant = Instant(secondsSince1970: 1_000)
    #expect(instant.adding(minutes: 3) == Instant(secondsSince1970: 1_180))
    #expect(instant.adding(minutes: -20_945) == Instant(secondsSince1970: -1_255_700))
    #expect(instant.adding(minutes: -1) < instant)
  }
}
