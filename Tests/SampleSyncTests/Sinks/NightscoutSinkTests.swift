// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import SampleSync
@testable import TextFormats

struct NightscoutSinkTests {
  private let sink: any SampleSink

  init() throws { sink = try SinkFixtures.sink(NightscoutSink.type, SinkFixtures.nightscout) }

  @Test("a sample is an sgv with the same instant in both time fields")
  func oneSample() throws {
    let request = try sink.request()
    #expect(request.method == .post && request.revealedURL() == "https://site.example/api/v1/entries.json")
    #expect(request.headers.map(\.name) == ["Content-Type", "Accept", "api-secret"])
    #expect(request[header: "Content-Type"] == "application/json")
    #expect(
      request.bodyText == #"""
        [{"type":"sgv","sgv":104,"date":1714644900000,"dateString":"2024-05-02T12:15:00.000+02:00",\#
        "device":"libre://0M00028U5DW","sample_id":"067628c7-f5b2-599c-9c28-c340db222ecd"}]
        """#)
  }

  @Test("the API secret is sent as its SHA-1, an access token as it is")
  func authentication() throws {
    let phrase = "this is my long pass phrase"
    let secret = try SinkFixtures.sink(NightscoutSink.type, SinkFixtures.nightscout, secret: phrase)
    #expect(try secret.request()[header: "api-secret"] == "b723e97aa97846eb92d5264f084b2823f57c4aa1")
    let token = try SinkFixtures.sink(
      NightscoutSink.type, SinkFixtures.nightscout.merging(["auth": "token"]) { $1 }, secret: "libre-0123456789abcdef")
    #expect(try token.request()[header: "api-secret"] == "libre-0123456789abcdef")
    #expect(throws: SinkOptionError.secretMissing) {
      try SinkFixtures.sink(NightscoutSink.type, SinkFixtures.nightscout, secret: nil)
    }
    #expect(throws: SinkOptionError.bad(key: "auth", value: "basic", allowed: "secret, token")) {
      try SinkFixtures.sink(NightscoutSink.type, SinkFixtures.nightscout.merging(["auth": "basic"]) { $1 })
    }
  }

  @Test("each value with a rate has its direction, and no value has one if the trend is not requested")
  func directions() throws {
    let rates = [-3.2, -2, -1.5, 0.99, 1, 2.5, 3]
    let samples = rates.indices.map { SinkFixtures.later(15 * $0) } + [SinkFixtures.later(200)]
    let known = Dictionary(uniqueKeysWithValues: zip(samples.compactMap(\.id), rates))
    func directions(_ parts: Set<SampleBatch.Part>) throws -> [String?] {
      let body = try sink.request(SinkFixtures.batch(samples, parts: parts, rates: known)).body
      return try JSONValue(parsing: body).elements.map { $0["direction"].text }
    }
    #expect(
      try directions([.history, .trend]) == [
        "DoubleDown", "SingleDown", "FortyFiveDown", "Flat", "FortyFiveUp", "SingleUp", "DoubleUp", nil,
      ])
    #expect(try directions([.history]).allSatisfy { $0 == nil })
  }

  @Test("a trend value of a history minute is left out: the site would keep only one of them")
  func oneEntryAMinute() throws {
    let samples = [SinkFixtures.sample(glucose: 104), SinkFixtures.sample(.trend, glucose: 99)]
    for samples in [samples, samples.reversed()] {
      let text = try sink.request(SinkFixtures.batch(samples, parts: [.history, .trend])).bodyText
      #expect(text.contains(#""sgv":104"#) && !text.contains(#""sgv":99"#))
    }
  }

  @Test(
    "a value is whole, and 40 where it is lower, because Nightscout raises no alarm for 39 and less",
    arguments: [
      (0.5, "40"), (38.4999, "40"), (39.4, "40"), (40.4, "40"), (41, "41"), (104.4999, "104"), (104.5, "105"),
      (999.6, "1000"),
    ])
  func values(_ glucose: Double, _ text: String) throws {
    let request = try sink.request(SinkFixtures.batch([SinkFixtures.sample(glucose: glucose)]))
    #expect(request.bodyText.contains("\"sgv\":\(text),"))
  }

  @Test("the hour that exists twice in autumn is made unique by its offset")
  func summerTime() throws {
    let rome = SinkFixtures.context()
    for (time, context, text) in [
      ("2024-10-27T00:30:00Z", rome, "2024-10-27T02:30:00.000+02:00"),
      ("2024-10-27T01:30:00Z", rome, "2024-10-27T02:30:00.000+01:00"),
      ("2024-05-02T10:15:00Z", SinkFixtures.context(offset: { _ in 0 }), "2024-05-02T10:15:00.000+00:00"),
      ("2024-05-02T10:15:00Z", SinkFixtures.context(offset: { _ in -12_600 }), "2024-05-02T06:45:00.000-03:30"),
    ] {
      let batch = SinkFixtures.batch([SinkFixtures.sample(time: SinkFixtures.instant(time))])
      #expect(try sink.request(batch, context: context).bodyText.contains("\"dateString\":\"\(text)\""))
    }
  }

  @Test("the probe checks our identity by the body, because the status is always 200")
  func probe() throws {
    let probe = try #require(sink.probe(SinkState(), SinkFixtures.context()))
    #expect(probe.method == .get && probe.url == "https://site.example/api/v1/verifyauth")
    #expect(probe[header: "api-secret"]?.count == 40)
    let answer = { (message: String, role: String) in
      #"{"status":200,"message":{"canRead":true,"message":"\#(message)","rolefound":"\#(role)"}}"#
    }
    for (status, body, kind) in [
      (200, answer("OK", "NOTFOUND"), "accepted"), (200, answer("UNAUTHORIZED", "FOUND"), "accepted"),
      (200, answer("UNAUTHORIZED", "NOTFOUND"), "unauthorized"), (200, "<html>", "unavailable"),
      (200, #"{"message":"OK"}"#, "unavailable"), (503, "", "unavailable"),
    ] { #expect(sink.probeVerdict(status, body).kind == kind, "\(body)") }
    let readOnly = #"{"message":{"canRead":true,"canWrite":false,"message":"OK","rolefound":"FOUND"}}"#
    for body in [readOnly, answer("OK", "FOUND"), #"{"message":{"canWrite":true,"message":"OK"}}"#, "<html>", ""] {
      let missing = sink.missingPermission(in: HTTPResponse(status: 200, body: Array(body.utf8)), SinkState())
      #expect(missing?.contains("write") == (body == readOnly ? true : nil))
    }
  }
}

struct NightscoutV3SinkTests {
  private let sink: any SampleSink
  private let memory = SinkState(session: ["token": Secret("eyJ.session.jwt")])

  init() throws { sink = try SinkFixtures.sink(NightscoutV3Sink.type, SinkFixtures.nightscout, secret: "libre-a/b") }

  @Test("an entry is one document with the identifier that the site would compute")
  func oneDocument() throws {
    #expect(sink.maximumBatch == 1)
    let request = try sink.request(memory: memory)
    #expect(request.revealedURL() == "https://site.example/api/v3/entries")
    #expect(request[header: "Authorization"] == "Bearer eyJ.session.jwt")
    #expect(
      request.bodyText == #"""
        {"identifier":"221304c9-ca56-5330-b2ce-e7275987044d","type":"sgv","sgv":104,"units":"mg",\#
        "date":1714644900000,"utcOffset":120,"app":"libre","device":"libre://0M00028U5DW",\#
        "sample_id":"067628c7-f5b2-599c-9c28-c340db222ecd"}
        """#)
  }

  @Test("an access token is exchanged for a token of a session, in the path, and is not shown there")
  func preparation() throws {
    let preparation = try #require(sink.preparation(for: nil, SinkState(), SinkFixtures.context()))
    let place = "https://site.example/api/v2/authorization/request/"
    #expect(preparation.request.revealedURL() == place + "libre-a%2Fb")
    #expect(preparation.request.redactedText == "GET \(place)(secret)\nAccept: application/json\n")
    let learnt = try preparation.learnt(200, #"{"token":"eyJ.x","sub":"libre","iat":1,"exp":2}"#).get()
    #expect(learnt == SinkState(session: ["token": Secret("eyJ.x")]))
    #expect(sink.preparation(for: nil, learnt, SinkFixtures.context()) == nil)
    for (status, body, kind) in [
      (401, "{}", "unauthorized"), (500, "", "unavailable"), (200, #"{"token":1}"#, "unavailable"),
      (200, #"{"token":"a\r\nX: y"}"#, "unavailable"), (200, #"{"token":""}"#, "unavailable"),
      (200, #"{"token":"ey"#, "unavailable"), (200, "<html>", "unavailable"), (302, "", "unavailable"),
    ] { #expect(preparation.learnt(status, body).kind == kind, "\(status) \(body)") }
  }

  @Test("each status is understood: created, duplicate, read-only, deleted, session expired")
  func answers() {
    func missing(_ right: String) -> String { #"{"status":403,"message":"Missing permission api:entries:\#(right)"}"# }
    #expect(sink.verdict(201, #"{"status":201,"identifier":"x"}"#) == .accepted(duplicates: 0))
    #expect(sink.verdict(200, #"{"isDeduplication":true}"#) == .accepted(duplicates: 1))
    #expect(sink.verdict(403, missing("update")) == .accepted(duplicates: 1))
    for (status, body, kind) in [
      (200, "<html>Sign in", "unavailable"), (200, "{}", "unavailable"), (401, "{}", "sessionEnded"),
      (403, missing("create"), "refused"), (406, "", "refused"), (410, "", "rejected"),
    ] { #expect(sink.verdict(status, body).kind == kind, "\(status) \(body)") }
    #expect(sink.verdict(400, "Bad or missing date field").reason == "HTTP 400: Bad or missing date field")
  }

  @Test("the probe requests the rights of the session, or a session")
  func probe() {
    let context = SinkFixtures.context()
    #expect(sink.probe(memory, context)?.url == "https://site.example/api/v3/status")
    #expect(sink.probe(SinkState(), context)?.url == "https://site.example/api/v2/authorization/request/")
  }
}
