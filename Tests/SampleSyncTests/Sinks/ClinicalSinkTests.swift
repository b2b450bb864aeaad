// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import HistoryFormats
@testable import SampleSync
@testable import TextFormats

struct FHIRSinkTests {
  private let sink: any SampleSink

  init() throws { sink = try SinkFixtures.sink(FHIRSink.type, SinkFixtures.fhir, secret: "tok") }

  @Test("a transaction creates the Device and each Observation if they do not exist")
  func bundle() throws {
    let request = try sink.request()
    #expect(request.method == .post && request.revealedURL() == "https://fhir.example/r4")
    #expect(request[header: "Content-Type"] == "application/fhir+json")
    #expect(request[header: "Authorization"] == "Bearer tok")
    let context = SinkFixtures.context().with(unit: .milligramsPerDecilitre, patient: "Patient/123")
    #expect(try JSONValue(parsing: request.body) == FHIRWriter().written(context: context))
    #expect(request.bodyText.contains(#""subject":{"reference":"Patient/123"}"#))
  }

  @Test("unit and operation are set for the sink, whatever unit the user reads")
  func options() throws {
    let moles = try SinkFixtures.sink(
      FHIRSink.type, SinkFixtures.fhir.merging(["unit": "mmol/L", "operation": "submit-cgm-bundle"]) { $1 }, secret: nil
    )
    let request = try moles.request()
    #expect(request.url == "https://fhir.example/r4/$submit-cgm-bundle" && request[header: "Authorization"] == nil)
    #expect(request.bodyText.contains(#""valueQuantity":{"value":5.7719,"unit":"mmol/l""#))
    #expect(try sink.request(context: SinkFixtures.context(.millimolesPerLitre)).bodyText.contains(#""value":104,"#))
  }

  @Test(
    "a patient is given as a reference, not by name",
    arguments: ["Ann", "Patient/", "Patient/a b", "Group/1", "x/Patient/1", "Patient/1/2", "/Patient/1?x"])
  func patients(_ text: String) throws {
    func make(_ patient: String) throws {
      _ = try SinkFixtures.sink(FHIRSink.type, SinkFixtures.fhir.merging(["patient": patient]) { $1 })
    }
    #expect(performing: { try make(text) }, throws: SinkOptionError.isBad("patient", text))
    #expect(throws: Never.self) { try make("https://fhir.example/r4/Patient/a.b-1") }
  }

  @Test("existing samples are counted, without the Device")
  func duplicates() {
    func answer(_ statuses: String...) -> String {
      let entries = statuses.map { #"{"response":{"status":"\#($0)","location":"x/1"}}"# }.joined(separator: ",")
      return #"{"resourceType":"Bundle","type":"transaction-response","entry":[\#(entries)]}"#
    }
    #expect(sink.verdict(200, answer("200 OK", "201 Created", "200", "200 OK")) == .accepted(duplicates: 2))
    #expect(sink.verdict(200, answer("201", "201 Created")) == .accepted(duplicates: 0))
    #expect(sink.verdict(200, answer("200", "x")) == .accepted(duplicates: nil))
    #expect(sink.verdict(200, answer("200", "412 Precondition Failed")).kind == "rejected")
    #expect(sink.verdict(200, answer("200", "503", "400")).kind == "unavailable")
    #expect(sink.verdict(200, answer("200", "403 Forbidden")).kind == "refused")
    // A batch without a sensor has no Device, and entries that are updated are no duplicates.
    let held = Set([EntrySinkTests.stick.id].compactMap(\.self))
    for (batch, count) in [
      (EntrySinkTests.batch(), 2), (SinkFixtures.batch(), 1), (EntrySinkTests.batch(held: held), 1),
    ] {
      let response = HTTPResponse(status: 200, body: Array(answer("200 OK", "200 OK").utf8))
      let verdict = sink.verdict(on: response, to: batch, SinkState(), now: SinkFixtures.noon)
      #expect(verdict == .accepted(duplicates: count))
    }
  }

  @Test("a response without statuses is a success, a web page is not")
  func answers() {
    for body in ["", "{}", #"{"resourceType":"OperationOutcome"}"#, #"{"entry":3}"#, #"{"entry":[{"resp"#] {
      #expect(sink.verdict(200, body) == .accepted(duplicates: nil), "\(body)")
    }
    #expect(sink.verdict(200, "<html>").kind == "unavailable" && sink.verdict(401).kind == "unauthorized")
    #expect(sink.verdict(412, "multiple matches").kind == "rejected")
    #expect(sink.probe(SinkState(), SinkFixtures.context())?.url == "https://fhir.example/r4/metadata?_summary=true")
    #expect(sink.probeVerdict(200, "{}").kind == "accepted" && sink.probeVerdict(200, "<html>").kind == "unavailable")
  }
}

struct VitalSinkTests {
  private let sink: any SampleSink
  private let context = SinkFixtures.context()
  private let user = "2b4f8f0a-6a53-4a3e-9a57-0d5b0a0e7f11"

  init() throws { sink = try SinkFixtures.sink(VitalSink.type, SinkFixtures.vital, secret: "sk_us_x") }

  @Test("only the last batch of a history is the final chunk; batches of daily values always are")
  func chunks() throws {
    let ready = SinkState(kept: ["user_id": user, "source": "freestyle_libre_ble of \(user)"])
    for (stage, isLast, isFinal) in [
      (SampleBatch.Stage.historical, false, false), (.historical, true, true), (.daily, false, true),
    ] {
      let request = try sink.request(SinkFixtures.batch(stage: stage, isLastOfStage: isLast), memory: ready)
      #expect(try JSONValue(parsing: request.body)["is_final_chunk"] == .bool(isFinal))
    }
  }

  @Test("the user is created first, then the source, then values are sent in mmol/L")
  func steps() throws {
    let create = try #require(sink.preparation(for: nil, SinkState(), context))
    #expect(create.request.revealedURL() == "https://api.sandbox.us.junction.com/v2/user")
    #expect(create.request.bodyText == #"{"client_user_id":"white_bear"}"#)
    #expect(create.request[header: "x-vital-api-key"] == "sk_us_x")
    let known = try create.learnt(200, #"{"user_id":"\#(user)","client_user_id":"white_bear"}"#).get()
    #expect(known.kept == ["user_id": user])

    let connect = try #require(sink.preparation(for: nil, known, context))
    #expect(connect.request.url.hasSuffix("/v2/link/provider/manual/freestyle_libre_ble"))
    #expect(connect.request.bodyText == #"{"user_id":"\#(user)"}"#)
    let ready = try connect.learnt(200, #"{"success":true}"#, known).get()
    #expect(try connect.learnt(409, "already connected", known).get() == ready)
    #expect(connect.learnt(422, "").kind == "rejected" && connect.learnt(401, "").kind == "unauthorized")
    #expect(sink.preparation(for: nil, ready, context) == nil)

    let request = try sink.request(memory: ready)
    #expect(request.url == "https://api.sandbox.us.junction.com/v2/timeseries/\(user)/glucose")
    #expect(try JSONValue(parsing: request.body) == VitalWriter().written())
    #expect(
      sink.probe(ready, context)?.url
        == "https://api.sandbox.us.junction.com/v2/timeseries/\(user)/glucose/grouped"
        + "?start_date=2024-05-02&end_date=2024-05-02")
    #expect(sink.probe(SinkState(), context) == nil)
  }

  @Test("samples from before the sink are historical, with start and end date")
  func historical() throws {
    let samples = [SinkFixtures.sample(), SinkFixtures.later(30)]
    let batch = SinkFixtures.batch(samples, stage: .historical)
    let text = try sink.request(batch, context: SinkFixtures.context(zoneName: nil)).bodyText
    #expect(
      text.hasPrefix(
        #"{"stage":"historical","start_date":"2024-05-02T10:15:00Z","end_date":"2024-05-02T10:45:00Z","#
          + #""provider":"freestyle_libre_ble","is_final_chunk":true,"data":["#))
  }

  @Test("an existing user is used if the response names it")
  func existingUser() throws {
    let create = try #require(sink.preparation(for: nil, SinkState(), context))
    let body = #"{"detail":{"error_type":"INVALID_REQUEST","user_id":"\#(user)"}}"#
    for status in [400, 409] { #expect(try create.learnt(status, body).get().kept == ["user_id": user]) }
    for (status, body, kind) in [
      (200, #"{"user_id":"../../x"}"#, "unavailable"), (200, #"{"user_id":7}"#, "unavailable"),
      (200, #"{"user_id":""}"#, "unavailable"), (200, #"{"user_id":"2b4f"#, "unavailable"),
      (200, "", "unavailable"), (401, body, "unauthorized"), (500, body, "unavailable"),
      (400, #"{"detail":{"user_id":"a/b"}}"#, "unavailable"), (400, #"{"detail":"no"}"#, "rejected"),
    ] { #expect(create.learnt(status, body).kind == kind, "\(status) \(body)") }
  }

  @Test("a configured user is not created; another provider is another source")
  func givenUser() throws {
    let given = try SinkFixtures.sink(VitalSink.type, ["user_id": user, "provider": "manual"])
    let connect = try #require(given.preparation(for: nil, SinkState(), context))
    #expect(connect.request.url.hasSuffix("/manual/manual"))
    let other = SinkState(kept: ["user_id": "other", "source": "freestyle_libre_ble of \(user)"])
    #expect(given.preparation(for: nil, other, context) != nil)
    #expect(throws: SinkOptionError.missing(key: "client_user_id")) { try SinkFixtures.sink(VitalSink.type, [:]) }
  }
}

struct TidepoolSinkTests {
  private let sink: any SampleSink
  private let context = SinkFixtures.context()
  private let batch = SinkFixtures.batch()
  private let token = [(name: "x-tidepool-session-token", value: "sess.tok")]
  private let name = "data_set E007A00000123456 1"

  init() throws { sink = try SinkFixtures.sink(TidepoolSink.type, SinkFixtures.tidepool, secret: "pw") }

  @Test("after login the wear's data set is created once, and values are posted to it")
  func steps() throws {
    let login = try #require(sink.preparation(for: batch, SinkState(), context))
    #expect(login.request.method == .post && login.request.revealedURL() == "https://api.tidepool.org/auth/login")
    #expect(login.request[header: "Authorization"] == "Basic YW5uQGV4YW1wbGUub3JnOnB3")
    let inside = try login.learnt(200, #"{"userid":"a1b2c3"}"#, headers: token).get()
    #expect(inside == SinkState(kept: ["user_id": "a1b2c3"], session: ["token": Secret("sess.tok")]))
    #expect(sink.preparation(for: nil, inside, context) == nil)

    let create = try #require(sink.preparation(for: batch, inside, context))
    #expect(create.request.revealedURL() == "https://api.tidepool.org/v1/users/a1b2c3/data_sets")
    #expect(create.request[header: "X-Tidepool-Session-Token"] == "sess.tok")
    #expect(
      create.request.bodyText == #"""
        {"client":{"name":"local.libre","version":"0.1.0"},"dataSetType":"continuous",\#
        "deduplicator":{"name":"org.tidepool.deduplicator.dataset.delete.origin","version":"1.0.0"},\#
        "deviceId":"Libre-0M00028U5DW","deviceManufacturers":["Abbott"],"deviceModel":"FreeStyle Libre",\#
        "deviceSerialNumber":"0M00028U5DW","deviceTags":["cgm"],"time":"2024-05-02T10:16:03.000Z",\#
        "timeProcessing":"none","timezone":"Europe/Rome","timezoneOffset":120}
        """#)
    let ready = try create.learnt(201, #"{"data":{"uploadId":"u9","id":"u9"}}"#, inside).get()
    #expect(try create.learnt(200, #"{"uploadId":"u9"}"#, inside).get() == ready)
    #expect(ready.kept[name] == "u9" && sink.preparation(for: batch, ready, context) == nil)

    let request = try sink.request(memory: ready)
    #expect(request.url == "https://api.tidepool.org/dataservices/v1/datasets/u9/data")
    #expect(request[header: "X-Tidepool-Session-Token"] == "sess.tok")
    #expect(try JSONValue(parsing: request.body) == TidepoolWriter().written())
  }

  @Test("unusable login responses are errors")
  func badLogins() throws {
    let login = try #require(sink.preparation(for: nil, SinkState(), context))
    for (status, body, headers, kind) in [
      (401, "", token, "unauthorized"), (503, "", token, "unavailable"), (200, #"{"userid":"a"}"#, [], "unavailable"),
      (200, #"{"userid":"a/../b"}"#, token, "unavailable"), (200, "{", token, "unavailable"),
      (200, #"{"userid":"a"}"#, [(name: "X-Tidepool-Session-Token", value: "a b")], "unavailable"),
    ] { #expect(login.learnt(status, body, headers: headers).kind == kind, "\(status) \(body)") }
  }

  @Test("data sets of another account are dropped")
  func otherAccount() throws {
    let before = SinkState(kept: ["user_id": "old", name: "u9"])
    let login = try #require(sink.preparation(for: batch, before, context))
    #expect(try login.learnt(200, #"{"userid":"new"}"#, headers: token, before).get().kept == ["user_id": "new"])
    let same = SinkState(kept: ["user_id": "new", name: "u9"])
    #expect(try login.learnt(200, #"{"userid":"new"}"#, headers: token, same).get().kept == same.kept)
  }

  @Test("unusable responses about the data set are errors")
  func badDataSets() throws {
    let inside = SinkState(kept: ["user_id": "a"], session: ["token": Secret("sess.tok")])
    let create = try #require(sink.preparation(for: batch, inside, context))
    for (status, body, kind) in [
      (401, "", "sessionEnded"), (403, "", "refused"), (400, "", "rejected"), (201, "{}", "unavailable"),
      (201, #"{"data":{"uploadId":"a/b"}}"#, "unavailable"), (201, #"{"data":{"#, "unavailable"),
    ] { #expect(create.learnt(status, body, inside).kind == kind, "\(status) \(body)") }
    guard case .failure(let echo) = create.learnt(400, "bad sess.tok", inside) else { return }
    #expect(echo.reason == "HTTP 400: bad (secret)")
  }

  @Test("an expired session is opened again, and an invalid value is searched for")
  func answers() {
    #expect(sink.verdict(401).kind == "sessionEnded" && sink.verdict(403).kind == "refused")
    #expect(sink.verdict(400, #"{"code":"value-not-valid"}"#).kind == "rejected")
    #expect(sink.verdict(201, "{}") == .accepted(duplicates: nil))
    #expect(sink.probe(SinkState(), context)?.url == "https://api.tidepool.org/auth/login")
    #expect(sink.probeVerdict(401).kind == "unauthorized" && sink.probeVerdict(200).kind == "accepted")
  }
}

struct FileSinkTests {
  @Test("each sample is a line of libre.sample/1; - is standard output")
  func lines() throws {
    let sink = try SinkFixtures.sink(FileSink.type, ["path": "/tmp/x"], secret: nil)
    let batch = SinkFixtures.batch([SinkFixtures.sample(), SinkFixtures.later(15)])
    var document = NDJSONWriter().document(SinkFixtures.context())
    let lines = document.begin() + batch.entries.flatMap { document.add($0) } + document.end()
    #expect(sink.delivered(batch) == .lines(lines))
    #expect((sink as? FileSink)?.path == "/tmp/x" && sink.destination == "/tmp/x")
    let out = try SinkFixtures.sink(FileSink.type, ["path": "-"], secret: nil)
    #expect((out as? FileSink)?.path == nil && out.destination == "standard output")
    #expect(throws: SinkOptionError.missing(key: "path")) { try SinkFixtures.sink(FileSink.type, [:], secret: nil) }
  }
}
