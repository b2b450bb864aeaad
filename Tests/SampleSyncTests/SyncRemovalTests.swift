// SPDX-License-Identifier: Apache-2.0
import CGMModel
import SampleStore
import SampleSync
import SensorHistory
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

@testable import LibreKit
@testable import SampleSync

struct SyncRemovalTests {
  /// A server that stores documents by their identifiers: Nightscout or FHIR.
  private final class Shelf: Courier {
    private struct State {
      var documents: [String: JSONValue] = [:]
      var log: [String] = []
      var deletes = 204
    }

    private let state = Mutex(State())

    var documents: [String: JSONValue] { state.withLock { $0.documents } }
    var log: [String] { state.withLock { $0.log } }
    func forgetLog() { state.withLock { $0.log = [] } }
    func answerDeletes(_ status: Int) { state.withLock { $0.deletes = status } }

    func deliver(_ delivery: Delivery) async throws(Verdict) -> HTTPResponse {
      guard case .http(let request) = delivery else { return HTTPResponse(status: 500) }
      if request.method == .get { return .status(200, #"{"token":"t"}"#) }
      return state.withLock { state in
        if request.method == .delete {
          note("DELETE", &state)
          if state.deletes == 204 { state.documents[String(request.url.split(separator: "/").last ?? "")] = nil }
          return HTTPResponse(status: state.deletes)
        }
        guard let json = try? JSONValue(parsing: request.body) else { return HTTPResponse(status: 400) }
        if let id = json["identifier"].text {
          note("POST", &state)
          let isKnown = state.documents.updateValue(json, forKey: id) != nil
          return .status(isKnown ? 200 : 201, "{\"identifier\":\"\(id)\"}")
        }
        for entry in json["entry"].elements where entry["resource"]["resourceType"].text != "Device" {
          let (method, resource) = (entry["request"]["method"].text ?? "", entry["resource"])
          note(method, &state)
          // The id in `Observation?identifier=…%7Curn%3Auuid%3A…`.
          let address = (entry["request"]["url"].text ?? "").split(separator: "uuid%3A").last ?? ""
          let id = resource["identifier"][0]["value"].text ?? "urn:uuid:\(address)"
          if method == "DELETE" {
            state.documents[id] = nil
          } else if method == "PUT" || state.documents[id] == nil {
            state.documents[id] = resource
          }
        }
        return HTTPResponse(status: 200)
      }
    }

    private func note(_ method: String, _ state: inout State) {
      if state.log.last != method { state.log.append(method) }
    }

    func close() async {}
  }

  private final class Bench {
    private let bench: SyncBench
    private let environment = ["LIBRE_SECRET_NIGHT": "a-secret-of-sixteen"]
    let shelf = Shelf()

    init(_ type: String, _ history: BenchHistory = .tiny) throws {
      var values = ["type": type, "url": "https://shelf.example"]
      if type == "fhir" { values["patient"] = "Patient/1" }
      bench = try SyncBench(history, values, send: ["glucose.history", "finger_sticks"])
    }

    var store: SensorStore { bench.store }
    var events: [SyncEvent] { bench.events }
    var words: [String] { events.map(\.words) }

    @discardableResult func send() async throws -> SyncResult {
      shelf.forgetLog()
      _ = bench.story()
      return try await bench.send(shelf, .insists, environment: environment)
    }

    func rehearse() throws -> [SyncEvent.Rehearsal] {
      var steps: [SyncEvent.Rehearsal] = []
      try SyncRehearsal.rehearse([bench.setup], in: store, environment: environment, now: bench.clock.now) { event in
        if case .rehearsed(let step) = event.kind { steps.append(step) }
      }
      return steps
    }

    func stick(_ minutes: Int) throws -> HistoryEntry {
      let start = try #require(try store.sensors().first?.wears.first?.anchor.activatedAt)
      return HistoryEntry.fingerStick(FingerStick(120, at: start.adding(minutes: minutes))).identified()
    }

    var moments: [Int] {
      shelf.documents.values.compactMap { document in
        document["date"].number.map { Int($0 / 1_000) }
          ?? document["effectiveDateTime"].text.flatMap { Instant(rfc3339: $0).map { Int($0.secondsSince1970) } }
      }.sorted()
    }
  }

  private static let kinds = ["nightscout-v3", "fhir"]

  @Test("a removed finger-stick is deleted at the receiver, once", arguments: kinds)
  func removed(_ type: String) async throws {
    let bench = try Bench(type)
    let stick = try bench.stick(30)
    _ = try bench.store.add(stick)
    #expect(try await bench.send() == .done)
    #expect(bench.shelf.documents.count == 61)
    #expect(try bench.store.remove(#require(stick.id)))
    let rehearsed = try bench.rehearse().compactMap { step in
      if case .removal(let ids, let request) = step { (ids, request) } else { nil }
    }
    #expect(rehearsed.map(\.0) == [[stick.id].compactMap(\.self)] && rehearsed[0].1.contains("DELETE"))
    #expect(bench.shelf.documents.count == 61)
    #expect(try await bench.send() == .done)
    #expect(bench.shelf.documents.count == 60 && bench.shelf.log == ["DELETE"])
    #expect(bench.words.first == "removed 1" && bench.words.count == 2)
    #expect(try await bench.send() == .done)
    #expect(bench.words == ["nothing"] && bench.shelf.log.isEmpty)
  }

  @Test("a sensor that the user forgets is deleted at the receiver; samples too old are not", arguments: kinds)
  func forgotten(_ type: String) async throws {
    let bench = try Bench(type)
    try await bench.send()
    #expect(bench.shelf.documents.count == 60)
    let moments = bench.moments
    #expect(try bench.store.removeAll(before: Instant(secondsSince1970: Int64(moments[20]))) > 0)
    try await bench.send()
    #expect(bench.words == ["nothing"] && bench.shelf.documents.count == 60)
    try bench.store.forget(#require(try bench.store.sensors().first))
    #expect(try await bench.send() == .done)
    #expect(bench.moments == Array(moments[..<20]) && bench.shelf.log == ["DELETE"])
  }

  @Test("a sensor with a new start is at the receiver once, with the new times", arguments: kinds)
  func reanchored(_ type: String) async throws {
    let bench = try Bench(type)
    try await bench.send()
    let before = bench.moments
    let sensor = try #require(try bench.store.sensors().first)
    let start = try #require(sensor.wears.first?.anchor.activatedAt)
    // Moved by the distance of two values, so that the old time of one sample is the new time of another.
    _ = try bench.store.reanchor(sensor, wear: 1, at: start.adding(minutes: 15))
    #expect(try await bench.send() == .done)
    #expect(bench.moments == before.map { $0 + 900 })
    #expect(bench.shelf.log == (type == "fhir" ? ["PUT"] : ["DELETE", "POST"]))
    #expect(try await bench.send() == .done && bench.words == ["nothing"])
  }

  @Test("of two sensors that are read in turns, a receiver keeps the values that count", arguments: kinds)
  func twoSensors(_ type: String) async throws {
    let bench = try Bench(type, .empty)
    func expected() throws -> [Int] {
      try bench.store.counting([.history]).compactMap { $0.sample.time.map { Int($0.secondsSince1970) } }
    }
    for (index, reading) in try TwoSensors.readings(isLaterFirst: false).enumerated() {
      _ = try bench.store.remember(reading, calibration: .factory, zone: nil)
      #expect(try await bench.send() == .done)
      #expect(try bench.moments == expected(), "reading \(index)")
      // When the later sensor is first read, values of the earlier one are deleted, and never sent afterwards.
      #expect(bench.shelf.log.contains("DELETE") == (index == 1), "reading \(index)")
      if index > 1, index.isMultiple(of: 2) { #expect(bench.words == ["nothing"]) }
    }
    try bench.store.forget(TwoSensors.later)
    #expect(try await bench.send() == .done)
    #expect(try bench.moments == expected() && bench.moments.count == 68)
    #expect(try await bench.send() == .done && bench.words == ["nothing"])
  }

  @Test("a token without permission to delete stops nothing: it is reported once and retried by the user")
  func forbidden() async throws {
    let bench = try Bench("nightscout-v3")
    let sticks = try [30, 31].map { try bench.stick($0) }
    for stick in sticks { _ = try bench.store.add(stick) }
    try await bench.send()
    for stick in sticks { #expect(try bench.store.remove(#require(stick.id))) }
    _ = try bench.store.add(bench.stick(40))
    bench.shelf.answerDeletes(403)
    #expect(try await bench.send() == .done)
    #expect(bench.shelf.documents.count == 63 && bench.shelf.log == ["DELETE", "POST"])
    let told = bench.events.compactMap { event -> String? in
      if case .failed(_, .notRemoved, let reason, _) = event.kind { reason } else { nil }
    }
    #expect(told.count == 1 && told[0].hasPrefix("2 values stay there: ") && told[0].contains("api:entries:delete"))
    #expect(try await bench.send() == .done && bench.words == ["nothing"])
    bench.shelf.answerDeletes(204)
    let stored = try #require(try bench.store.sink("night"))
    #expect(stored.stop == nil)
    _ = try bench.store.retryParked(of: stored.id)
    #expect(try await bench.send() == .done && bench.shelf.documents.count == 61)
  }

  @Test("a server that is not available is asked again, and nothing new is sent before")
  func unavailable() async throws {
    let bench = try Bench("nightscout-v3")
    let stick = try bench.stick(30)
    _ = try bench.store.add(stick)
    try await bench.send()
    #expect(try bench.store.remove(#require(stick.id)))
    _ = try bench.store.add(bench.stick(40))
    bench.shelf.answerDeletes(503)
    #expect(try await bench.send() == .queued)
    #expect(bench.shelf.log == ["DELETE"])
    bench.shelf.answerDeletes(204)
    #expect(try await bench.send() == .done && bench.shelf.documents.count == 61)
  }
}
