// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import SampleStore
import Synchronization
import Testing

@testable import LibreKit
@testable import SampleSync

/// Tests sinks that are sent to at most every so often, and what the store remembers of their runs.
struct SyncIntervalTests {
  private func bench(_ interval: String = "15m") throws -> SyncBench {
    try SyncBench(.tiny, ["interval": interval], send: ["glucose.history", "glucose.trend"])
  }

  @Test("a sensor that is read every minute is sent every interval, and each sample comes once")
  func everyMinute() async throws {
    let bench = try bench()
    let clock = bench.clock
    let times = Mutex<[Int64]>([])
    let courier = ScriptedCourier { (_) throws(Verdict) in
      times.withLock { $0.append(clock.now.secondsSince1970) }
      return .ok
    }
    #expect(try await bench.send(courier) == .done)
    for minute in 1...50 {
      clock.advance(60)
      try bench.scan(BenchHistory.person, atAge: 960 + minute)
      #expect(try await bench.send(courier, minute.isMultiple(of: 2) ? .waits : .hurries) == .done)
    }
    clock.advance(900)
    #expect(try await bench.send(courier) == .done)
    let runs = Set(times.withLock { $0 }).sorted()
    #expect(runs.count == 5 && zip(runs, runs.dropFirst()).allSatisfy { $1 - $0 >= 900 })
    let sent = bench.events.flatMap { event -> [SampleID] in
      if case .success(let receipt) = event.kind { receipt.samples } else { [] }
    }
    let expected = try bench.sendable([.history, .trend])
    #expect(sent.count == expected.count && Set(sent).count == sent.count)
    #expect(try bench.stored.queued == 0)
  }

  @Test(
    "before the interval has passed a run says when it is due and is no failure; only --now sends",
    arguments: [(Sync.Urgency.waits, false), (.hurries, false), (.insists, true)])
  func due(urgency: Sync.Urgency, goes: Bool) async throws {
    let bench = try bench("1h")
    let courier = ScriptedCourier(.status(200))
    #expect(try await bench.send(courier) == .done)
    let before = courier.requests.count
    _ = bench.story()
    #expect(try await bench.send(courier, urgency) == .done && bench.story() == ["nothing"])
    try bench.scan(BenchHistory.person, atAge: 990)
    bench.clock.advance(3_599)
    #expect(try await bench.send(courier, urgency) == .done)
    #expect((courier.requests.count > before) == goes)
    let queued = try bench.stored.queued
    if !goes {
      #expect(bench.story() == ["waits for its interval: \(queued) for 1"] && queued > 0)
      let (setup, stored, now) = (bench.setup, try bench.stored, bench.clock.now)
      #expect(stored.nextAttempt(by: setup, after: now)?.at.secondsSince1970 == now.secondsSince1970 + 1)
      bench.clock.advance(1)
      #expect(try await bench.send(courier, urgency) == .done && bench.stored.queued == 0)
    }
  }

  @Test("after a failure the attempts follow each other as without an interval")
  func failure() async throws {
    let bench = try bench("1d")
    #expect(try await bench.send(ScriptedCourier(.status(503))) == .queued)
    bench.clock.advance(60)
    let courier = ScriptedCourier(.status(200))
    #expect(try await bench.send(courier) == .done && !courier.requests.isEmpty)
  }

  @Test("another interval holds at once, and a clock that was ahead holds back nothing")
  func changes() async throws {
    let bench = try bench("1d")
    let courier = ScriptedCourier(.status(200))
    #expect(try await bench.send(courier) == .done)
    try bench.scan(BenchHistory.person, atAge: 990)
    bench.clock.advance(60)
    let shorter = try SyncBench.setup(["interval": "1m"], send: bench.setup.section.send)
    #expect(try await bench.send(courier, to: [shorter]) == .done && bench.stored.queued == 0)
    try bench.scan(BenchHistory.person, atAge: 1_020)
    bench.clock.advance(-2 * 86_400)
    #expect(try await bench.send(courier) == .done && bench.stored.queued == 0)
  }

  @Test("each run is recorded with its numbers and its last failure; one in which nothing happens is not")
  func recorded() async throws {
    let bench = try SyncBench(.small)
    let sink = try bench.stored.id
    let begin = bench.clock.now
    let failing = ScriptedCourier(.status(200), .status(503, "maintenance"))
    #expect(try await bench.run(failing, PlainSink(maximumBatch: 40)) == .queued)
    let failed = try #require(try bench.store.runs(of: sink).first)
    #expect(failed.at == begin && failed.outcome == "queued" && failed.reason == "HTTP 503: maintenance")
    #expect(failed.accepted == 40 && failed.parked == 0 && failed.queued == 52)
    let path = bench.path
    let seen = Mutex<[StoredRun]>([])
    let courier = ScriptedCourier { (_) throws(Verdict) in
      let runs = try? SensorStore(path, for: .reading).runs(of: sink)
      seen.withLock { $0.append(contentsOf: (runs ?? []).prefix(1)) }
      return .ok
    }
    #expect(try await bench.run(courier, PlainSink(maximumBatch: 40, unsuitable: [1_005])) == .done)
    // The record of a run that goes on has what was delivered, and says that it was interrupted.
    let during = try #require(seen.withLock { $0.last })
    #expect(during.outcome == "interrupted" && during.queued == nil && during.accepted + during.parked > 0)
    #expect(try await bench.run(courier) == .done)
    let runs = try bench.store.runs(of: sink)
    #expect(runs.map(\.outcome) == ["done", "queued"] && runs[1] == failed)
    #expect(runs[0].accepted == 51 && runs[0].parked == 1 && runs[0].queued == 0 && runs[0].reason == nil)
  }
}
