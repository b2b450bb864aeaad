// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import SampleStore
import SampleSync
import StoreTestSupport
import TestSupport
import Testing

@testable import LibreKit
@testable import SampleSync

struct SyncDeliveryTests {
  @Test("all samples arrive once, oldest first, with the store's times and values, in batches of one wear and stage")
  func everything() async throws {
    let enrolledAt = BenchHistory.person.activatedAt.adding(minutes: 1_000)
    let bench = try SyncBench(enrolledAt: enrolledAt)
    let sendable = try bench.sendable()
    #expect(sendable.count > 1_000)
    let courier = ScriptedCourier(.status(200))
    #expect(try await bench.run(courier, PlainSink(maximumBatch: 300)) == .done)
    let batches = courier.batches
    let lines = batches.flatMap(\.lines)
    #expect(lines.count == sendable.count && Set(lines) == sendable)
    #expect(batches.allSatisfy { (1...300).contains($0.lines.count) })
    for batch in batches {
      #expect(batch.lines.map(\.time) == batch.lines.map(\.time).sorted())
      // Samples from before the enrolment are historical, later ones daily.
      #expect(
        batch.lines.allSatisfy { batch.stage == ($0.time < enrolledAt.secondsSince1970 ? "historical" : "daily") })
      // Times of one wear are whole minutes after one start.
      #expect(Set(batch.lines.map { $0.time - Int64($0.minute) * 60 }).count == 1)
    }
    let told = bench.events.compactMap { if case .success(let receipt) = $0.kind { receipt.isHistorical } else { nil } }
    #expect(told == batches.map { $0.stage == "historical" } && Set(told).count == 2)
    let first = batches.compactMap(\.lines.first?.time)
    #expect(first == first.sorted() && Set(batches.compactMap(\.key)).count == batches.count)
    let version4 = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
    #expect(batches.allSatisfy { $0.key?.wholeMatch(of: version4) != nil })
    #expect(try bench.stored.queued == 0 && bench.stored.parked == 0 && bench.stored.lastSuccessAt == bench.clock.now)
    #expect(bench.clock.sleeps.isEmpty)
  }

  @Test("events report the number of samples, each batch and the result, then that nothing is left")
  func told() async throws {
    let bench = try SyncBench(.small)
    let courier = ScriptedCourier(.status(200), .status(208, "7"))
    #expect(try await bench.run(courier, PlainSink(maximumBatch: 40)) == .done)
    let events = bench.events
    #expect(
      bench.story() == [
        "syncing 92", "success 40", "success 40", "success 12", "completed: 92 accepted, ? had, 0 parked, 0 queued",
      ])
    var sent: [[String]] = []
    for (event, batch) in zip(events.dropFirst(), courier.batches) {
      guard case .success(let receipt) = event.kind else { continue }
      sent.append(receipt.samples.map(\.description))
      #expect(receipt.batch == batch.key && receipt.samples.map(\.description) == batch.lines.map(\.id))
      #expect(receipt.isHistorical && receipt.duplicates == (sent.count == 1 ? nil : 7))
      #expect(receipt.from?.secondsSince1970 == batch.lines.first?.time)
      #expect(receipt.to?.secondsSince1970 == batch.lines.last?.time)
    }
    #expect(sent.count == 3 && Set(sent.joined()).count == 92)
    #expect(events.allSatisfy { $0.sink == "night" && $0.at == bench.clock.now })
    #expect(try await bench.run(courier) == .done)
    #expect(bench.story() == ["nothing"] && courier.batches.count == 3)
    // A sum is reported only if each response has its part.
    let other = try SyncBench(.small)
    #expect(try await other.run(ScriptedCourier(.status(208, "7")), PlainSink(maximumBatch: 40)) == .done)
    #expect(other.story().last == "completed: 92 accepted, 21 had, 0 parked, 0 queued")
  }

  @Test("samples ahead of the clock wait, their number is said, and they are sent once their time has come")
  func ahead() async throws {
    let bench = try SyncBench(.empty)
    // The clock at the scan was 100 minutes ahead of the present one.
    try bench.scan(SimulatedSensor(seed: 11), atAge: 1_005, readAt: bench.clock.now.adding(minutes: 100))
    let courier = ScriptedCourier(.status(200), .status(200))
    #expect(try await bench.run(courier) == .queued)
    #expect(bench.story().suffix(2) == ["waits for the clock: 6", "completed: 26 accepted, ? had, 0 parked, 6 queued"])
    bench.clock.advance(6_000)
    #expect(try await bench.run(courier) == .done && bench.stored.queued == 0)
  }

  @Test("the trend is sent only where it is requested, flagged values nowhere")
  func trend() async throws {
    let bench = try SyncBench(.large, send: ["glucose.history", "glucose.trend"])
    let courier = ScriptedCourier(.status(200))
    #expect(try await bench.run(courier) == .done)
    let lines = courier.batches.flatMap(\.lines)
    #expect(try Set(lines) == bench.sendable([.history, .trend]) && lines.count == Set(lines).count)
    #expect(lines.contains { $0.ring == "trend" })
    let flagged = try bench.store.timeline().filter { $0.sample.quality != .ok }
    #expect(!flagged.isEmpty && Set(flagged.compactMap { $0.id?.description }).isDisjoint(with: lines.map(\.id)))
    let alone = try SyncBench(.large, send: ["glucose.trend"])
    let other = ScriptedCourier(.status(200))
    #expect(try await alone.run(other) == .done)
    #expect(try Set(other.batches.flatMap(\.lines)) == alone.sendable([.trend]))
  }

  @Test("the current value is sent with the newest sample of each worn sensor, and with no other")
  func current() async throws {
    let bench = try SyncBench(.large, send: ["glucose.history", "glucose.trend"])
    let courier = ScriptedCourier(.status(200))
    #expect(try await bench.send(courier) == .done)
    var found: [String: [JSONValue]] = [:]
    var last: [String: String] = [:]
    for request in courier.requests {
      let document = try JSONValue(parsing: request.body)
      let serial = try #require(document["sensor"]["serial"].text)
      last[serial] = document["key"].text
      if document["current"] != .null { found[serial, default: []].append(document) }
    }
    #expect(found.count == 2 && found.values.allSatisfy { $0.count == 1 })
    for (serial, documents) in found { #expect(documents[0]["key"].text == last[serial]) }
    // The value of the scan itself, which is stored already.
    let reading = try bench.scan(SimulatedSensor(seed: 12), atAge: 7_200)
    let (serial, now) = (try #require(reading.sensor.serial), try #require(reading.current))
    let told = try #require(found[serial]?.first)["current"]
    #expect(told["minute"].number == Double(now.minute.value) && told["direction"].text == now.direction.rawValue)
    for (name, value) in [
      ("glucose_mg_dl", now.concentration.milligramsPerDecilitre), ("rate_mg_dl_per_min", now.ratePerMinute),
    ] { #expect(abs(try #require(told[name].number) - (try #require(value))) < 0.001) }
  }

  @Test("a scan's current value is sent at its minute, with the same direction long afterwards")
  func directions() async throws {
    let bench = try SyncBench(.tiny, send: ["glucose.history", "glucose.trend"])
    let sensor = SimulatedSensor(seed: 12)
    // Half an hour apart, so that each scan has only its own trend minutes.
    let scans = try (0..<12).map { try bench.scan(sensor, atAge: 600 + 30 * $0) }
    let setup = try bench.another(
      "site", ["type": "nightscout", "url": "https://site.example"], send: ["glucose.history", "glucose.trend"])
    let courier = ScriptedCourier(.status(200, "[]"))
    let secrets = [setup.secretVariable: "open sesame"]
    #expect(try await bench.send(courier, to: [setup], environment: secrets) == .done)
    var sent: [Double: String] = [:]
    var count = 0
    for request in courier.requests {
      for entry in try JSONValue(parsing: request.body).elements {
        count += 1
        sent[try #require(entry["date"].number)] = entry["direction"].text
      }
    }
    for scan in scans {
      let current = try #require(scan.current)
      let sample = try #require(scan.trend.first { $0.minute == current.minute })
      let date = Double(try #require(sample.time).secondsSince1970) * 1_000
      #expect(current.ratePerMinute != nil && sent[date] == current.direction.rawValue)
    }
    // The first minutes of each scan lack the five before them, and so does a history value without a scan near it.
    #expect(sent.count < count && sent.count > 12 * 8)
    #expect(Set(sent.values).count > 1 && Set(sent.values).isSubset(of: TrendDirection.allCases.map(\.rawValue)))
  }

  @Test("the current state is that of the newest sensor: one worn before does not replace it")
  func newestOfAll() async throws {
    let bench = try SyncBench(.large, send: ["glucose.history"])
    let values = ["type": "mqtt", "url": "mqtt://localhost", "backfill_days": "36500"]
    let setup = try SinkSetup(SinkSection(path: "/c", name: "home", values: values, send: nil))
    let newest = try #require(try bench.store.newestSample(rings: [.history], isUsable: true))
    let serials = try bench.store.sensors().map(\.identity.serial)
    var states: [String] = []
    try SyncRehearsal.rehearse([setup], in: bench.store, environment: [:], now: bench.clock.now) { event in
      guard case .rehearsed(.batch(_, _, let request)) = event.kind else { return }
      let lines = request.split(separator: "\n").map(String.init)
      for (topic, payload) in zip(lines, lines.dropFirst()) where topic.hasPrefix("libre/state ") {
        states.append(payload)
      }
    }
    #expect(serials.count == 2 && states.count == 1)
    let sensor = try #require(try bench.store.sensors().first { $0.id == newest.sensor })
    #expect(try JSONValue(parsing: #require(states.first).utf8)["serial"].text == sensor.identity.serial)
  }
}
