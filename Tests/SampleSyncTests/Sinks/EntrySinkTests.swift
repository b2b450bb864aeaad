// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HistoryFormats
import TestSupport
import Testing

@testable import SampleSync
@testable import TextFormats

struct EntrySinkTests {
  private static func id(_ number: UInt64) -> SampleID { SampleID(high: 0x5000, low: 0x8000_0000_0000_0000 | number) }

  static let stick = HistoryEntry.fingerStick(
    FingerStick(
      id: id(1), time: SinkFixtures.noon, concentration: GlucoseConcentration(milligramsPerDecilitre: 118),
      note: "before lunch"))

  static func imported(_ minutes: Int = 15, bound: ImportedSample.Bound? = nil, device: String? = "D1") -> HistoryEntry
  {
    .imported(
      ImportedSample(
        id: id(100 + UInt64(minutes)), source: "libreview", device: device, ring: .history,
        time: SinkFixtures.noon.adding(minutes: minutes),
        concentration: GlucoseConcentration(milligramsPerDecilitre: 105), bound: bound))
  }

  static func batch(
    _ entries: [HistoryEntry] = [stick, imported()], parts: Set<SampleBatch.Part> = [.fingerSticks, .imported],
    held: Set<SampleID> = []
  ) -> SampleBatch {
    SampleBatch(
      key: SinkFixtures.key, stage: .daily, parts: parts, sensor: nil, entries: entries, current: nil, held: held)
  }

  private func body(_ type: SinkType, _ values: [String: String], _ batch: SampleBatch = batch()) throws -> String {
    let memory = SinkState(kept: ["user_id": "u1", "data_set": "up1"], session: ["token": Secret("t")])
    return try SinkFixtures.sink(type, values).request(batch, memory: memory).bodyText
  }

  @Test("every sink type sends finger-sticks and imported values, but only if requested")
  func asked() throws {
    for (type, sink) in try SinkFixtures.all() {
      #expect(type.parts.isSuperset(of: [.fingerSticks, .imported]), "\(type.name)")
      let none = sink.delivered(Self.batch([], parts: [.history]))
      #expect(sink.delivered(Self.batch(parts: [.history])) == none, "\(type.name)")
      let sticks = sink.delivered(Self.batch(parts: [.fingerSticks]))
      let imports = sink.delivered(Self.batch(parts: [.imported]))
      #expect(Set([sticks, imports, none]).count == 3, "\(type.name)")
      #expect(sink.omission(of: Self.stick) == nil && sink.omission(of: Self.imported()) == nil)
    }
  }

  @Test(
    "a value that is only a limit is left out if the receiver cannot express that",
    arguments: [
      ImportedSample.Bound.low, .high,
    ])
  func limits(_ bound: ImportedSample.Bound) throws {
    let limit = Self.imported(30, bound: bound)
    for (type, sink) in try SinkFixtures.all() {
      let with = sink.delivered(Self.batch([Self.imported(), limit]))
      let without = sink.delivered(Self.batch([Self.imported()]))
      let isOmitted = sink.omission(of: limit) != nil
      #expect((with == without) == isOmitted, "\(type.name)")
      // The webhook has two shapes, and Terra's does not support it.
      if type.name == "webhook" { continue }
      #expect(isOmitted == ["nightscout", "nightscout-v3", "vital"].contains(type.name), "\(type.name)")
    }
  }

  @Test("Nightscout gets a finger-stick as mbg, and an imported value as sgv with its origin")
  func nightscout() throws {
    #expect(
      try body(NightscoutSink.type, SinkFixtures.nightscout) == #"""
        [{"type":"mbg","mbg":118,"date":1714644900000,"dateString":"2024-05-02T12:15:00.000+02:00",\#
        "device":"libre://finger_stick","sample_id":"\#(Self.id(1))"},\#
        {"type":"sgv","sgv":105,"date":1714645800000,"dateString":"2024-05-02T12:30:00.000+02:00",\#
        "device":"libreview://D1","sample_id":"\#(Self.id(115))"}]
        """#)
    let text = try body(NightscoutV3Sink.type, SinkFixtures.nightscout, Self.batch([Self.stick]))
    #expect(text.contains(#""type":"mbg","mbg":118,"units":"mg","date":1714644900000"#) && !text.contains("sgv"))
  }

  @Test("Tidepool gets smbg and cbg, in a data set without a sensor")
  func tidepool() throws {
    let text = try body(TidepoolSink.type, SinkFixtures.tidepool)
    #expect(text.contains(#"{"type":"smbg","subType":"manual""#) && text.contains(#"{"type":"cbg""#))
    #expect(text.contains(#""deviceId":"libreview-D1""#))
    let sink = try SinkFixtures.sink(TidepoolSink.type, SinkFixtures.tidepool)
    let inside = SinkState(kept: ["user_id": "u1"], session: ["token": Secret("t")])
    let create = try #require(sink.preparation(for: Self.batch(), inside, SinkFixtures.context()))
    #expect(create.request.bodyText.contains(#""deviceTags":["bgm","cgm"]"#))
    let ready = try create.learnt(201, #"{"data":{"uploadId":"u9"}}"#, inside).get()
    #expect(sink.preparation(for: Self.batch(), ready, SinkFixtures.context()) == nil)
    #expect(sink.preparation(for: SinkFixtures.batch(), ready, SinkFixtures.context()) != nil)
  }

  @Test("Vital gets a fingerprick, FHIR the code of blood without a Device, Terra a document for each device")
  func others() throws {
    let vital = try body(VitalSink.type, SinkFixtures.vital)
    #expect(vital.contains(#""type":"fingerprick""#) && vital.contains(#""type":"unknown""#))
    let fhir = try body(FHIRSink.type, SinkFixtures.fhir)
    #expect(fhir.contains(#""code":"2339-0""#) && fhir.contains(#""code":"99504-3""#))
    #expect(!fhir.contains(#""resourceType":"Device""#))
    let terra = try JSONValue(parsing: body(WebhookSink.type, SinkFixtures.terra).utf8)
    #expect(terra["data"].elements.count == 2)
  }

  @Test("a FHIR server that already has all of them reports that")
  func duplicates() throws {
    let sink = try SinkFixtures.sink(FHIRSink.type, SinkFixtures.fhir)
    let line = #"{"response":{"status":"200 OK"}}"#
    func verdict(_ lines: Int, _ batch: SampleBatch) -> Verdict {
      let entries = Array(repeating: line, count: lines).joined(separator: ",")
      let answer = HTTPResponse(status: 200, body: Array(#"{"entry":[\#(entries)]}"#.utf8))
      return sink.verdict(on: answer, to: batch, SinkState(), now: SinkFixtures.noon)
    }
    #expect(verdict(2, Self.batch()) == .accepted(duplicates: 2))
    #expect(verdict(2, SinkFixtures.batch()) == .accepted(duplicates: 1))
    #expect(verdict(2, Self.batch(held: [Self.id(1)])) == .accepted(duplicates: 1))
  }

  @Test("InfluxDB gets them by source, with a limit marked as one")
  func influx() throws {
    let entries = [Self.stick, Self.imported(), Self.imported(30, bound: .high, device: nil)]
    #expect(
      try body(InfluxSink.type, SinkFixtures.influx, Self.batch(entries)) == """
        glucose,source=finger_stick mgdl=118,sample_id="\(Self.id(1))" 1714644900
        glucose,sensor=D1,source=libreview mgdl=105,sample_id="\(Self.id(115))" 1714645800
        glucose,source=libreview,bound=high mgdl=105,sample_id="\(Self.id(130))" 1714646700

        """)
  }

  @Test("a broker gets them under separate topics, and never as the current state")
  func mqtt() throws {
    let messages = try SinkFixtures.sink(MQTTSink.type, SinkFixtures.mqtt).messages(
      SampleBatch(
        key: SinkFixtures.key, stage: .daily, parts: [.fingerSticks, .imported], sensor: nil,
        entries: [Self.stick, Self.imported()], current: SinkFixtures.current, holdsNewest: true))
    #expect(messages.map(\.topic) == ["libre/status", "libre/finger_stick/sample", "libre/imported/sample"])
    #expect(messages.map(\.isRetained) == [true, false, false])
  }

  @Test("the webhook gets them as libre.sample/1 without a sensor")
  func webhook() throws {
    let json = try JSONValue(parsing: body(WebhookSink.type, SinkFixtures.webhook).utf8)
    #expect(
      json["sensor"] == .null
        && json["samples"].elements.map { $0["schema"].text } == ["libre.sample/1", "libre.sample/1"])
    #expect(json["samples"].elements.map { $0["ring"].text } == ["finger_stick", "history"])
    #expect(json["samples"][0]["note"].text == "before lunch")
  }
}

struct WithdrawalTests {
  private func keys(_ type: SinkType, _ entry: HistoryEntry) throws -> String? {
    guard case .byKey(let key) = type.removal else { return nil }
    return key(entry)
  }

  @Test("each sink type deletes records, or empties its state, or states why it cannot")
  func kinds() throws {
    let entry = HistoryEntry.sensor(SinkFixtures.sample())
    for (type, sink) in try SinkFixtures.all() {
      let request = sink.withdrawal(of: ["k"], SinkState(), SinkFixtures.context())
      switch type.removal {
      case .byKey(let key):
        #expect(request != nil && key(entry) != nil, "\(type.name)")
        // A value that was never sent has no record.
        #expect(key(.sensor(SinkFixtures.sample(quality: .error))) == nil)
      case .replacingState: #expect(request != nil, "\(type.name)")
      case .impossible(let reason): #expect(request == nil && !reason.isEmpty && !reason.hasSuffix("."), "\(type.name)")
      }
    }
    #expect(try SinkFixtures.removing == ["fhir", "nightscout-v3"])
  }

  @Test("Nightscout finds a record by time and device, FHIR by our id")
  func moved() throws {
    let sample = HistoryEntry.sensor(SinkFixtures.sample())
    let later = HistoryEntry.sensor(SinkFixtures.sample(time: SinkFixtures.noon.adding(minutes: 15)))
    #expect(sample.id == later.id)
    #expect(try keys(NightscoutV3Sink.type, sample) != keys(NightscoutV3Sink.type, later))
    #expect(try keys(FHIRSink.type, sample) == keys(FHIRSink.type, later))
    let sink = try SinkFixtures.sink(NightscoutV3Sink.type, SinkFixtures.nightscout)
    let sent = try sink.request(memory: SinkState(session: ["token": Secret("t")]))
    let key = try #require(try keys(NightscoutV3Sink.type, sample))
    #expect(sent.bodyText.contains("\"identifier\":\"\(key)\""))
  }

  @Test("Nightscout is asked to delete a document, and a missing document counts as deleted")
  func nightscout() throws {
    let sink = try SinkFixtures.sink(NightscoutV3Sink.type, SinkFixtures.nightscout)
    let memory = SinkState(session: ["token": Secret("t0k")])
    guard case .http(let request)? = sink.withdrawal(of: ["a-b"], memory, SinkFixtures.context()) else {
      Issue.record("no request")
      return
    }
    #expect(request.method == .delete && request.url == "https://site.example/api/v3/entries/a-b")
    #expect(request[header: "Authorization"] == "Bearer t0k" && request.body.isEmpty)
    func verdict(_ status: Int) -> Verdict {
      sink.withdrawalVerdict(on: HTTPResponse(status: status), memory, now: SinkFixtures.noon)
    }
    for status in [200, 204, 404, 410] { #expect(verdict(status) == .accepted(duplicates: nil), "\(status)") }
    #expect(
      verdict(401).kind == "sessionEnded" && verdict(503).kind == "unavailable" && verdict(422).kind == "rejected")
    #expect(verdict(403).kind == "refused" && verdict(403).reason?.contains("api:entries:delete") == true)
  }

  @Test("FHIR updates existing resources by identifier, creates the rest, and deletes by identifiers")
  func fhir() throws {
    let sink = try SinkFixtures.sink(FHIRSink.type, SinkFixtures.fhir)
    let (old, new) = (SinkFixtures.sample(), SinkFixtures.later(15))
    let id = try #require(old.id)
    let batch = SampleBatch(
      key: SinkFixtures.key, stage: .daily, parts: [.history], sensor: SinkFixtures.batch().sensor,
      entries: [.sensor(old), .sensor(new)], current: nil, held: [id])
    let entries = try JSONValue(parsing: sink.request(batch).bodyText.utf8)["entry"].elements
    #expect(entries.map { $0["request"]["method"].text } == ["POST", "PUT", "POST"])
    let address = "Observation?identifier=urn%3Aietf%3Arfc%3A3986%7Curn%3Auuid%3A\(id)"
    #expect(entries[1]["request"]["url"].text == address && entries[1]["request"]["ifNoneExist"] == .null)
    #expect(entries[2]["request"]["ifNoneExist"].text != nil)

    let delivery = sink.withdrawal(of: [id.description, "x"], SinkState(), SinkFixtures.context())
    guard case .http(let request)? = delivery else {
      Issue.record("no request")
      return
    }
    let deletions = try JSONValue(parsing: request.body)
    #expect(deletions["type"].text == "transaction" && request.url == "https://fhir.example/r4")
    #expect(deletions["entry"].elements.map { $0["request"]["method"].text } == ["DELETE", "DELETE"])
    #expect(deletions["entry"][0]["request"]["url"].text == address)
    func verdict(_ status: Int, _ body: String = "") -> Verdict {
      let answer = HTTPResponse(status: status, body: Array(body.utf8))
      return sink.withdrawalVerdict(on: answer, SinkState(), now: SinkFixtures.noon)
    }
    let mixed = #"{"entry":[{"response":{"status":"204 No Content"}},{"response":{"status":"404"}}]}"#
    #expect(verdict(200, mixed).kind == "accepted" && verdict(404).kind == "accepted")
    #expect(verdict(412, "several").kind == "rejected" && verdict(401).kind == "unauthorized")
  }
}

extension SinkFixtures {
  fileprivate static var removing: [String] {
    get throws {
      try Set(
        all().compactMap { type, _ in
          if case .byKey = type.removal { type.name } else { nil }
        }
      ).sorted()
    }
  }
}
