// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import SampleStore
import SampleSync
import SensorHistory
import TestSupport
import Testing

@testable import LibreKit
@testable import SampleSync

/// Whatever a receiver does, and whatever changes in the store meanwhile, no sample is lost or sent twice.
struct SyncPropertyTests {
  @Test(
    "an unreliable receiver ends up with every sample once, as in the store, except those it rejects",
    arguments: 0..<TestTier.rounds(1, full: 20))
  func fickle(part: Int) async throws {
    for seed in UInt64(part * 10)..<UInt64(part * 10 + 10) { try await run(seed) }
  }

  private func run(_ seed: UInt64) async throws {
    var random = SplitMix64(seed: 0x5EED ^ seed)
    let comment = Comment(rawValue: "seed \(seed)")
    let bench = try SyncBench(.tiny)
    let all = try bench.sendable().sorted { $0.time < $1.time }
    let bad = Set((0..<random.number(0...3)).map { _ in all[random.number(0...all.count - 1)].id })
    let server = FickleServer(seed: seed, bad: bad, limit: [3, 10, 1_000][random.number(0...2)])
    let sink = PlainSink(
      maximumBatch: [7, 40, 1_000][random.number(0...2)], unsuitable: seed % 5 == 0 ? [315] : [], kept: ["user"],
      session: ["token"])
    var (age, moved) = (960, 0)
    for _ in 0..<random.number(1...6) {
      try await round(bench, server, sink, random.number(0...99))
      // The store changes while a batch may be incomplete.
      switch random.number(0...5) {
      case 0:
        age += random.number(15...300)
        try bench.scan(BenchHistory.person, atAge: age)
      case 1:
        moved += random.number(1...9)
        let sensor = try #require(try bench.store.sensors().first)
        let start = BenchHistory.person.activatedAt.adding(minutes: moved)
        _ = try bench.store.reanchor(sensor, wear: 1, at: start, isRehearsal: false)
      case 2: _ = try bench.store.retryParked(of: bench.stored.id)
      default: break
      }
    }
    server.recover()
    for _ in 0..<8 where try await round(bench, server, sink, 0) != .done {}
    // Samples that were parked without a fault of their own are delivered now.
    if try bench.store.retryParked(of: bench.stored.id) > 0 {
      for _ in 0..<8 where try await round(bench, server, sink, 0) != .done {}
    }
    let end = server.now
    let sendable = try bench.sendable()
    let letters = try bench.store.parkedEntries(of: bench.stored).map {
      PlainRequest.Line($0.entry)
    }
    let dead = Set(letters.map(\.id))
    #expect(try bench.stored.queued == 0 && bench.stored.stop == nil, comment)
    #expect(letters.count == dead.count, comment)
    // All samples are delivered or parked; only those that the receiver never accepts are parked.
    let delivered = sendable.filter { end.samples[$0.id] == $0 }
    #expect(delivered.union(letters) == sendable, comment)
    #expect(
      dead == Set(sendable.filter { bad.contains($0.id) || sink.unsuitable.contains($0.minute) }.map(\.id)), comment)
    // The receiver has the store's samples, and accepted each version under one key only.
    #expect(Set(end.samples.values) == delivered, comment)
    #expect(end.times.values.allSatisfy { $0 == 1 }, comment)
    #expect(end.changedKeys == 0, comment)
    if seed % 20 == 0 { #expect(try bench.store.check().faults == [], comment) }
  }

  /// Runs once, and enables the sink again if it was stopped.
  @discardableResult private func round(
    _ bench: SyncBench, _ server: FickleServer, _ sink: PlainSink, _ jitter: Int
  ) async throws -> SyncResult {
    let result = try await bench.run(server, sink, random: Double(jitter) / 100)
    if try bench.stored.stop != nil {
      #expect(result == .refused)
      try bench.store.enable(bench.setup, skipsGap: false, environment: [:])
    }
    return result
  }
}
