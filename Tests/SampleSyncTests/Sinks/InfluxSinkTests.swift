// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import SampleSync

struct InfluxSinkTests {
  private static let id = "067628c7-f5b2-599c-9c28-c340db222ecd"

  private func lines(_ batch: SampleBatch) throws -> String {
    try SinkFixtures.sink(InfluxSink.type, SinkFixtures.influx).request(batch).bodyText
  }

  @Test("version 1 gets the database, and the user with Basic authentication")
  func versionOne() throws {
    let sink = try SinkFixtures.sink(InfluxSink.type, SinkFixtures.influx, secret: "p:w")
    let request = try sink.request()
    #expect(request.method == .post && request.url == "http://127.0.0.1:8086/write?db=libre&precision=s")
    #expect(request[header: "Authorization"] == "Basic bWU6cDp3")
    #expect(
      request.bodyText
        == "glucose,sensor=0M00028U5DW,source=history mgdl=104,minute=14415i,sample_id=\"\(Self.id)\" 1714644900\n")
    let open = try SinkFixtures.sink(InfluxSink.type, SinkFixtures.influx, secret: nil)
    #expect(try open.request()[header: "Authorization"] == nil)
    #expect(throws: SinkOptionError.missing(key: "user")) {
      try SinkFixtures.sink(InfluxSink.type, ["url": "http://localhost"])
    }
  }

  @Test("version 2 gets organisation, bucket and a token")
  func versionTwo() throws {
    let request = try SinkFixtures.sink(InfluxSink.type, SinkFixtures.influx2, secret: "tok").request()
    #expect(request.url == "http://127.0.0.1:8086/api/v2/write?org=my%20org&bucket=b%26c&precision=s")
    #expect(request[header: "Authorization"] == "Token tok")
    #expect(throws: SinkOptionError.missing(key: "org")) {
      try SinkFixtures.sink(InfluxSink.type, ["url": "http://localhost", "version": "2"])
    }
  }

  @Test("only history is sent by default; the parts add fields and a point of the sensor")
  func parts() throws {
    let samples = [SinkFixtures.sample(), SinkFixtures.later(3, .trend, glucose: 107.25)]
    #expect(try lines(SinkFixtures.batch(samples)).filter { $0 == "\n" }.count == 1)
    #expect(
      try lines(SinkFixtures.batch(samples, parts: [.history, .trend, .raw, .sensor])) == """
        glucose,sensor=0M00028U5DW,source=history mgdl=104,minute=14415i,sample_id="\(Self.id)",raw=884i,\
        raw_temperature=6552i,raw_temperature_adjustment=-8i,temperature_c=32.03,quality="ok" 1714644900
        glucose,sensor=0M00028U5DW,source=trend mgdl=107.25,minute=14418i,\
        sample_id="5c857ebd-ec81-54c6-9b5b-82d4a31969ce",raw=884i,raw_temperature=6552i,raw_temperature_adjustment=-8i,temperature_c=32.03,quality="ok" 1714645080
        glucose_sensor,sensor=0M00028U5DW wear=1i,state="active",activated_at=1713780000i,expires_at=1714989600i \
        1714644963

        """)
    #expect(!(try lines(SinkFixtures.batch(parts: [.sensor], lastReadAt: nil)).contains("glucose_sensor")))
  }

  @Test("a sensor name is escaped, and cannot end a tag or a line")
  func escapes() throws {
    let identity = SensorIdentity(
      uid: SinkFixtures.uid, fingerprint: nil, serial: "a b,c=d\"e\\f\n\u{1}g", family: .libre1)
    let text = try lines(SinkFixtures.batch([SinkFixtures.sample(of: identity)], identity: identity))
    #expect(
      text
        == "glucose,sensor=a\\ b\\,c\\=d\"e_f__g,source=history mgdl=104,minute=14415i,sample_id=\"\(Self.id)\" 1714644900\n"
    )
  }

  @Test("a partial write counts as a rejected batch, and an unknown database stops the sink")
  func answers() throws {
    let sink = try SinkFixtures.sink(InfluxSink.type, SinkFixtures.influx)
    #expect(sink.verdict(204) == .accepted(duplicates: nil))
    #expect(
      sink.verdict(400, #"{"error":"partial write: field type conflict: input field \"mgdl\""}"#)
        == .rejected(reason: #"HTTP 400: {"error":"partial write: field type conflict: input field \"mgdl\""}"#))
    #expect(sink.verdict(404, #"{"error":"database not found: \"libre\""}"#).kind == "refused")
    #expect(sink.verdict(503, headers: [("Retry-After", "7")]) == .unavailable(reason: "HTTP 503", after: 7))
    let probe = try #require(sink.probe(SinkState(), SinkFixtures.context()))
    #expect(try probe.url == sink.request().url && probe.method == .post && probe.body.isEmpty)
    #expect(sink.probeVerdict(204).kind == "accepted" && sink.probeVerdict(400, "empty").kind == "accepted")
    #expect(sink.probeVerdict(401).kind == "unauthorized" && sink.probeVerdict(404).kind == "refused")
  }
}
