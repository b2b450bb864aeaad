// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing
import TextFormats

@testable import SampleSync

struct StatusVerdictTests {
  private let table = StatusVerdict(hiding: [Secret("planted-Secret")])

  private func verdict(_ status: Int, _ body: String = "", _ headers: [(name: String, value: String)] = []) -> Verdict {
    table.verdict(
      on: HTTPResponse(status: status, headers: headers, body: Array(body.utf8)), now: SinkFixtures.noon)
  }

  @Test("each status has its verdict")
  func statuses() {
    for (kind, statuses) in [
      ("accepted", [200, 201, 202, 204, 206]), ("unavailable", [301, 302, 303, 304, 307, 308, 408, 409, 425, 429]),
      ("unavailable", [500, 501, 502, 503, 504, 507, 520, 599, 0, -1, 100, 103, 600, 999]),
      ("refused", [402, 403, 404, 405, 407, 410, 418, 431, 451]), ("rejected", [400, 415, 422]), ("tooLarge", [413]),
      ("unauthorized", [401]),
    ] {
      for status in statuses { #expect(verdict(status).kind == kind, "\(status)") }
    }
  }

  @Test(
    "Retry-After is seconds, or a date in one of three forms",
    arguments: [
      ("120", 120), ("0", 0), (" 5 ", 5), ("99999999999999999999", 86_400), ("Thu, 02 May 2024 10:15:30 GMT", 30),
      ("Thursday, 02-May-24 10:16:00 GMT", 60), ("Thu May  2 10:15:07 2024", 7), ("Thu May 12 10:15:00 2024", 86_400),
      ("Thu, 02 May 2024 09:00:00 GMT", 0), ("Sunday, 06-Nov-94 08:49:37 GMT", 0),
      ("Fri, 31 Dec 9998 23:59:60 GMT", 86_400),
    ])
  func retryAfter(_ text: String, _ seconds: Int) {
    for status in [429, 503, 500] {
      #expect(verdict(status, "", [("Retry-After", text)]) == .unavailable(reason: "HTTP \(status)", after: seconds))
    }
  }

  @Test(
    "an invalid Retry-After is ignored",
    arguments: [
      "", " ", "-5", "1.5", "soon", "Thu, 02 May 2024 10:15:30", "Thu, 31 Feb 2024 10:15:30 GMT",
      "Thu, 02 Mai 2024 10:15:30 GMT", "Thu, 02 May 2024 25:15:30 GMT", "Thu, 02 May 2024 10:15:61 GMT",
      "2024-05-02T10:15:30Z", "Thursday, 02-May-2024 10:16:00 GMT", "Thu May 2 2024", "Xyz, 02 May 2024 10:15:30 GMT",
      "Thu, 02 May 2024 10:15:30 CET",
    ])
  func noRetryAfter(_ text: String) {
    #expect(verdict(503, "", [("retry-after", text)]) == .unavailable(reason: "HTTP 503", after: nil))
  }

  @Test("a year with two digits is within fifty years, as in RFC 9110")
  func shortYears() {
    let response = HTTPResponse(status: 503, headers: [("Retry-After", "Friday, 31-Dec-99 23:59:59 GMT")])
    for (now, seconds) in [("2099-12-31T23:59:00Z", 59), ("2024-05-02T10:15:00Z", 0)] {
      let verdict = table.verdict(on: response, now: SinkFixtures.instant(now))
      #expect(verdict == .unavailable(reason: "HTTP 503", after: seconds))
    }
  }

  @Test("a reason is the receiver's message on one line, at most 300 characters")
  func words() {
    #expect(verdict(400, "  bad\r\n\u{1B}[31mred\u{7}\u{202E}\tvalue  ").reason == "HTTP 400: bad [31mred value")
    let long = verdict(400, String(repeating: "é", count: 10_000)).reason
    #expect(long == "HTTP 400: \(String(repeating: "é", count: 300))…")
    let broken = table.verdict(
      on: HTTPResponse(status: 400, body: [0xFF, 0xFE, 0x00, 0x41]), now: SinkFixtures.noon)
    #expect(broken == .rejected(reason: "HTTP 400: \u{FFFD}\u{FFFD} A"))
    #expect(
      verdict(302, "", [("Location", "https://login.example/?next=planted-Secret\u{7}")])
        == .unavailable(
          reason:
            "HTTP 302: the address redirects to https://login.example/?next=(secret), which is not followed; if this persists, configure that address",
          after: nil))
  }

  @Test("a secret that a receiver echoes is removed, in every encoding")
  func echoes() {
    #expect(verdict(401, "no planted-Secret here").reason == "HTTP 401: no (secret) here")
    #expect(verdict(401, "PLANTED-SECRETPLANTED-SECRET").reason == "HTTP 401: (secret)(secret)")
    let odd = StatusVerdict(hiding: [Secret("a\"b/c"), Secret("a\"b/c and more"), Secret("")])
    for (body, shown) in [
      (#"x a\"b/c y"#, "x (secret) y"), ("x a%22b%2Fc y", "x (secret) y"), ("x a%22b%2fc y", "x (secret) y"),
      (#"x a"b/c and more y"#, "x (secret) y"), ("x a", "x a"),
    ] {
      let verdict = odd.verdict(on: HTTPResponse(status: 400, body: Array(body.utf8)), now: SinkFixtures.noon)
      #expect(verdict == .rejected(reason: "HTTP 400: \(shown)"))
    }
  }

  @Test(
    "a secret is removed also backwards, in hex and in base64, and as a hash by which servers know it",
    arguments: [
      // "planted-Secret": backwards; its bytes; SHA-1 and SHA-256, as Python's hashlib has them.
      "terceS-detnalp", "706c616e7465642d536563726574", "cGxhbnRlZC1TZWNyZXQ=", "cGxhbnRlZC1TZWNyZXQ",
      "4C91FFD885C0C3D9F0C435ACE9F83374FD00A239", "TJH/2IXAw9nwxDWs6fgzdP0Aojk=", "TJH_2IXAw9nwxDWs6fgzdP0Aojk",
      "5bb67683746424ea9330e3d2db7ddacd0a7d51f8ba9a7ca4c536069d00cb3596",
      "W7Z2g3RkJOqTMOPS233azQp9Ufi6mnykxTYGnQDLNZY=",
    ])
  func disguises(_ form: String) {
    #expect(verdict(400, "no \(form) here").reason == "HTTP 400: no (secret) here")
  }

  @Test("no part of a secret is left where a large response is cut off")
  func cutSecrets() {
    let secret = String(repeating: "0123456789abcdef", count: 250)
    let table = StatusVerdict(hiding: [Secret(secret)])
    for lead in stride(from: 0, to: 4_200, by: 523) {
      let body = Array((String(repeating: " ", count: lead) + String(repeating: secret, count: 4)).utf8)
      let reason = table.verdict(on: HTTPResponse(status: 400, body: body), now: SinkFixtures.noon).reason
      #expect(reason?.contains("0123456789") == false)
    }
  }

  @Test("only the first 8 KiB of a response are read, however large it is")
  func hugeAnswers() {
    let words = "\(String(repeating: "p", count: 300))…"
    let body = CountedBytes(count: 10_000_000)
    #expect(ReceivedText.shown(body, hiding: ["planted-Secret"]) == words)
    #expect((300...8_192).contains(body.reads.count))
    let response = HTTPResponse(status: 500, body: Array(body.prefix(20_000)))
    #expect(table.verdict(on: response, now: SinkFixtures.noon).reason == "HTTP 500: \(words)")
  }
}

/// A sequence of this many letters that counts how many are read.
private struct CountedBytes: RandomAccessCollection {
  final class Reads { var count = 0 }

  let count: Int
  let reads = Reads()

  var startIndex: Int { 0 }
  var endIndex: Int { count }

  subscript(position: Int) -> UInt8 {
    reads.count += 1
    return UInt8(ascii: "p")
  }
}
