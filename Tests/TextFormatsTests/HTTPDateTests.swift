// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing
import TextFormats

struct HTTPDateTests {
  @Test(
    "a date is written in the form of RFC 9110 and read back as the same time",
    arguments: [
      ("1994-11-06T08:49:37Z", "Sun, 06 Nov 1994 08:49:37 GMT"),
      ("1970-01-01T00:00:00Z", "Thu, 01 Jan 1970 00:00:00 GMT"),
      ("2024-02-29T23:59:59Z", "Thu, 29 Feb 2024 23:59:59 GMT"),
      ("1969-12-31T23:59:59Z", "Wed, 31 Dec 1969 23:59:59 GMT"),
    ])
  func written(moment: String, text: String) throws {
    let instant = try #require(Instant(rfc3339: moment))
    #expect(HTTPDate.text(instant) == text && HTTPDate.instant(text, now: instant) == instant)
  }
}
