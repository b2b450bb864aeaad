// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import HistoryFormats
@testable import SampleSync
@testable import TextFormats

struct WebhookSinkTests {
  @Test("a batch is one document with the batch's key, signed")
  func document() throws {
    let sink = try SinkFixtures.sink(WebhookSink.type, SinkFixtures.webhook, secret: "secret")
    let request = try sink.request()
    #expect(request.method == .post && request.revealedURL() == "https://hook.example/in")
    #expect(request.headers.map(\.name) == ["Content-Type", "Idempotency-Key", "libre-signature"])
    #expect(request[header: "Idempotency-Key"] == SinkFixtures.key)
    #expect(
      request.bodyText == #"""
        {"schema":"libre.batch/1","key":"\#(SinkFixtures.key)","stage":"daily","tool":"libre 0.1.0",\#
        "sensor":{"serial":"0M00028U5DW","family":"libre1","product":null,"wear":1},"samples":[{\#
        "id":"067628c7-f5b2-599c-9c28-c340db222ecd","ring":"history","minute":14415,\#
        "time":"2024-05-02T10:15:00Z","glucose_mg_dl":104}]}
        """#)
    try Self.verify(request)
    #expect(try SinkFixtures.sink(WebhookSink.type, SinkFixtures.webhook, secret: nil).request().headers.count == 2)
  }

  private static func verify(_ request: HTTPRequest) throws {
    try WebhookSignature.verify(
      #require(request[header: "libre-signature"]), body: request.body, secret: Secret("secret"),
      now: SinkFixtures.context().now)
  }

  @Test("an alert is its own document with a key of its own, signed; Terra gets none")
  func alert() throws {
    let alert = SinkFixtures.alert("low", document: #"{"schema":"libre.alert/1"}"#)
    let sink = try SinkFixtures.sink(WebhookSink.type, SinkFixtures.webhook, secret: "secret")
    let request = try #require(sink.delivery(of: alert, SinkFixtures.context())).request()
    #expect(request.bodyText == #"{"schema":"libre.alert/1"}"# && request.revealedURL() == "https://hook.example/in")
    #expect(request[header: "Idempotency-Key"]?.count == 36)
    try Self.verify(request)
    let terra = try SinkFixtures.sink(WebhookSink.type, SinkFixtures.terra)
    #expect(terra.delivery(of: alert, SinkFixtures.context()) == nil)
  }

  @Test("each part adds its own fields and nothing else")
  func parts() throws {
    let sink = try SinkFixtures.sink(WebhookSink.type, SinkFixtures.webhook)
    let samples = [SinkFixtures.sample(), SinkFixtures.later(15, glucose: 196), SinkFixtures.later(3, .trend)]
    func document(_ parts: Set<SampleBatch.Part>) throws -> JSONValue {
      try JSONValue(
        parsing: sink.request(SinkFixtures.batch(samples, parts: parts, current: SinkFixtures.current)).body)
    }
    let least = try document([.history])
    #expect(least.keys == ["schema", "key", "stage", "tool", "sensor", "samples"])
    #expect(least["samples"].elements.count == 2)
    #expect(least["sensor"].keys == ["serial", "family", "product", "wear"])

    let trend = try document([.history, .trend])
    #expect(trend["samples"].elements.count == 3)
    #expect(
      trend["current"]
        == .object([
          "minute": .number(14_418), "glucose_mg_dl": .number(107.25), "rate_mg_dl_per_min": .number(1.24),
          "direction": .string("FortyFiveUp"),
        ]))

    let raw = try document([.history, .raw])["samples"][0]
    #expect(raw["schema"].text == "libre.sample/1" && raw["raw"]["glucose"].number == 884)
    #expect(raw["calibration"]["model"].text == "factory" && raw["uid"].text == "E007A00000123456")

    let sensor = try document([.history, .sensor])["sensor"]
    #expect(sensor["state"].text == "active" && sensor["expires_at"].text == "2024-05-06T10:00:00Z")
    #expect(sensor["uid"].text == "E007A00000123456" && sensor["last_read_at"].text == "2024-05-02T10:16:03Z")

    let statistics = try document([.history, .statistics])["statistics"]
    #expect(statistics["values"].number == 2 && statistics["mean_mg_dl"].number == 150)
    #expect(statistics["percent_above"].number == 50 && statistics["percent_below"].number == 0)
  }

  @Test("Terra's shape is a body event with a Body for each local day, under Terra's header")
  func terra() throws {
    let sink = try SinkFixtures.sink(WebhookSink.type, SinkFixtures.terra)
    let night = ["2024-10-26T21:45:00Z", "2024-10-26T22:15:00Z"].enumerated().map {
      SinkFixtures.sample(minute: 30 * ($0.offset + 1), time: SinkFixtures.instant($0.element))
    }
    let request = try sink.request(SinkFixtures.batch(night))
    #expect(request[header: "terra-signature"] != nil && request[header: "libre-signature"] == nil)
    let event = try JSONValue(parsing: request.body)
    #expect(event["type"].text == "body" && event["user"]["user_id"].text == "white_bear")
    #expect(
      try event["data"].elements.count == 2 && event["data"] == TerraWriter().written(night.map { .sensor($0) })["data"]
    )
    #expect(throws: SinkOptionError.missing(key: "user")) {
      try SinkFixtures.sink(WebhookSink.type, ["url": "https://x.example", "shape": "terra"])
    }
  }

  @Test("our own document names the person only if that is configured, and any status 2xx is a success")
  func user() throws {
    let named = try SinkFixtures.sink(WebhookSink.type, SinkFixtures.webhook.merging(["user": "white_bear"]) { $1 })
    #expect(try JSONValue(parsing: named.request().body)["user"] == .string("white_bear"))
    let sink = try SinkFixtures.sink(WebhookSink.type, SinkFixtures.webhook)
    #expect(try !sink.request().bodyText.contains(#""user""#))
    for status in [200, 201, 202, 204, 206, 299] {
      #expect(sink.verdict(status, "<html>") == .accepted(duplicates: nil), "\(status)")
    }
    #expect(sink.probe(SinkState(), SinkFixtures.context()) == nil)
  }
}

struct WebhookSignatureTests {
  private let secret = Secret("secret")
  private let body = Array(#"{"a":1}"#.utf8)
  private let time = Instant(secondsSince1970: 1_723_808_700)
  private let code = "0cf63d9a898086058a3800766e56b0f61a76b4fb376dc097f7f2d4bb61b81318"

  private func failure(_ header: String, body: [UInt8]? = nil, secret: Secret? = nil, now: Int64 = 0)
    -> WebhookSignature.Failure?
  {
    do throws(WebhookSignature.Failure) {
      try WebhookSignature.verify(
        header, body: body ?? self.body, secret: secret ?? self.secret,
        now: Instant(secondsSince1970: time.secondsSince1970 + now))
      return nil
    } catch {
      return error
    }
  }

  @Test("a signature is HMAC-SHA256 of time, dot and body (vector of terra-client-python)")
  func vector() {
    #expect(WebhookSignature.header(for: body, secret: secret, at: time) == "t=1723808700,v1=\(code)")
    #expect(failure("t=1723808700,v1=\(code)") == nil)
    #expect(failure("t=1723808700, v0=abc, v1=\(code.uppercased())") == nil)
    // One valid signature of several is enough, so that a secret can be changed.
    #expect(failure("v1=\(String(repeating: "0", count: 64)),t=1723808700,v1=\(code)") == nil)
  }

  @Test("another body, secret or time does not match")
  func mismatch() {
    let header = "t=1723808700,v1=\(code)"
    #expect(failure(header, body: Array(#"{"a":2}"#.utf8)) == .mismatch)
    #expect(failure(header, secret: Secret("Secret")) == .mismatch)
    #expect(failure("t=1723808701,v1=\(code)") == .mismatch)
    #expect(failure("t=1723808700,v1=1\(code.dropFirst())") == .mismatch)
  }

  @Test("the time may differ by five minutes in both directions, and not by a second more")
  func tolerance() {
    for seconds in [-300, 0, 300] as [Int64] { #expect(failure("t=1723808700,v1=\(code)", now: seconds) == nil) }
    for seconds in [-301, 301] as [Int64] {
      #expect(failure("t=1723808700,v1=\(code)", now: seconds) == .outOfTime(seconds: seconds, tolerance: 300))
    }
  }

  @Test(
    "an invalid signature header is reported as malformed",
    arguments: [
      "", "t=1723808700", "v1=CODE", "t=1723808700,v1=", "t=1723808700,v1=12", "t=,v1=CODE", "t=-1723808700,v1=CODE",
      "t=99999999999999999999,v1=CODE", "t=1723808700,t=1723808700,v1=CODE", "t=1723808700,v1", "t=1723808700;v1=CODE",
      "t=1723808700,v1=zz", "t=1723808700,v0=CODE",
    ])
  func malformed(_ text: String) {
    #expect(failure(text.replacing("CODE", with: code)) == .malformed)
    #expect(failure(String(repeating: "v1=\(code),", count: 1_000) + "t=1723808700") == .malformed)
  }
}
