// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Glibc
import SampleStore
import SampleSync
import Testing

@testable import HostSystem
@testable import LibreKit
@testable import SampleSync
@testable import SensorHistory

final class SyncStopTests: SmallBenchTest {
  @Test(
    "a receiver that denies access stops the sink at once, with its message, and the outbox is kept",
    arguments: [401, 403, 404, 410])
  func refused(status: Int) async throws {
    let courier = ScriptedCourier(.status(200), .status(status, "who are you?"))
    #expect(try await bench.run(courier, PlainSink(maximumBatch: 40)) == .refused)
    #expect(courier.batches.count == 2 && bench.clock.sleeps.isEmpty)
    let stored = try bench.stored
    let reason =
      (status == 401 ? "it requires a secret, but none is configured: " : "") + "HTTP \(status): who are you?"
    #expect(stored.stop == .init(.receiver, reason))
    #expect(stored.queued == 52 && stored.parked == 0 && stored.retry == nil)
    #expect(
      bench.story() == [
        "syncing 92", "success 40", "failed refused", "paused: \(reason)",
        "completed: 40 accepted, ? had, 0 parked, 52 queued",
      ])
    // No more requests are sent, even if the user insists.
    let later = ScriptedCourier(.status(200))
    #expect(try await bench.send(later, .insists) == .refused)
    #expect(later.requests.isEmpty && bench.story() == ["paused: \(reason)"])
    // When enabled, it continues where it was, with the same key.
    try bench.store.enable(bench.setup, skipsGap: false, environment: [:])
    #expect(try await bench.run(later) == .done)
    #expect(later.batches.first == courier.batches.last)
    let lines = [courier.batches[0]] + later.batches
    #expect(try Set(lines.flatMap(\.lines)) == bench.sendable() && lines.flatMap(\.lines).count == 92)
  }

  @Test("a sink that is disabled, in the file or by the user, or not enrolled sends nothing and is not a failure")
  func paused() async throws {
    let courier = ScriptedCourier(.status(200))
    func expectPaused(_ reason: String, _ setup: SinkSetup? = nil) async throws {
      #expect(try await bench.send(courier, .insists, to: [setup ?? bench.setup]) == .done)
      #expect(courier.requests.isEmpty && courier.closings == 0 && bench.story() == ["paused: \(reason)"])
    }
    try await expectPaused(SinkSetup.switchedOff, SyncBench.setup(["enabled": "false"]))
    try bench.store.disable(bench.stored)
    try await expectPaused("disabled by you")
    try bench.store.removeSink(bench.stored.id)
    try await expectPaused("it is not enrolled in this store yet")
  }

  /// Accepts everything, and meanwhile changes the store as another program does.
  private func courier(_ change: @escaping @Sendable (SensorStore) throws -> Void) -> ScriptedCourier {
    ScriptedCourier { [path = bench.path] (_) throws(Verdict) in
      do {
        try change(StoreFile.openForWriting(path))
      } catch {
        throw .unavailable(reason: "\(error)")
      }
      return .ok
    }
  }

  @Test("disabling a sink while it sends takes effect before the next batch")
  func stoppedMeanwhile() async throws {
    let courier = courier { try $0.disable($0.enrolledSink(SyncBench.name)) }
    #expect(try await bench.run(courier, PlainSink(maximumBatch: 40)) == .done)
    #expect(
      bench.story() == [
        "syncing 92", "success 40", "paused: disabled by you", "completed: 40 accepted, ? had, 0 parked, 52 queued",
      ])
    #expect(try courier.requests.count == 1 && bench.stored.stop?.origin == .user && bench.stored.queued == 52)
  }

  @Test("a sink removed while it sends gets nothing more, and is not created again")
  func removedMeanwhile() async throws {
    let courier = courier { try $0.removeSink($0.enrolledSink(SyncBench.name).id) }
    #expect(try await bench.run(courier, PlainSink(maximumBatch: 40)) == .done)
    #expect(bench.story() == ["syncing 92", "success 40", "completed: 40 accepted, ? had, 0 parked, 0 queued"])
    #expect(try courier.requests.count == 1 && bench.store.sinks().isEmpty && bench.store.check().faults == [])
  }

  @Test("a sink enrolled for another receiver or type does not continue with this one")
  func otherReceiver() async throws {
    let courier = ScriptedCourier(.status(200))
    for values in [["url": "https://elsewhere.example"], ["type": "influx", "user": "me"]] {
      let setup = try SyncBench.setup(values)
      let secrets = [setup.secretVariable: "x"]
      #expect(try await bench.send(courier, .insists, to: [setup], environment: secrets) == .misdirected)
      let told = bench.story()
      #expect(told.count == 1 && told[0].hasPrefix("paused: ") && told[0].contains("webhook \(PlainSink.address)"))
      #expect(told[0].contains(values["url"] ?? "influx"))
    }
    #expect(try courier.requests.isEmpty && bench.stored.queued == 0 && bench.stored.stop == nil)
    // Enabling the sink accepts the new receiver.
    let setup = try SyncBench.setup(["url": "https://elsewhere.example"])
    try bench.store.enable(setup, skipsGap: false, environment: [:])
    #expect(try await bench.send(courier, to: [setup]) == .done)
    #expect(courier.requests.map(\.url) == ["https://elsewhere.example"])
  }

  @Test("a missing secret is reported, and other sinks are still sent to")
  func noSecret() async throws {
    let site = try bench.another(
      "site", ["type": "nightscout", "url": "https://site.example", "secret_file": "/no/such/file"])
    let courier = ScriptedCourier(.status(200))
    #expect(try await bench.send(courier, to: [site, bench.setup]) == .refused)
    #expect(courier.requests.map(\.url) == [PlainSink.address])
    guard case .failed(nil, .misdirected, let reason, []) = bench.events[0].kind else { return #expect(Bool(false)) }
    #expect(reason.contains("/no/such/file") && bench.events[0].sink == "site")
    #expect(try bench.store.sink("site")?.stop == nil && bench.stored.queued == 0)
  }

  @Test(
    "a wrong address and a missing library are reported and retried late, or as soon as the user requests it",
    arguments: [
      (.misdirected(reason: "the certificate is not theirs"), .misdirected, "misdirected", "certificate"),
      (.libraryMissing(name: "libcurl", package: "libcurl4"), .unequipped, "unequipped", "libcurl4"),
    ] as [(Verdict, SyncResult, String, String)])
  func later(error: Verdict, result: SyncResult, name: String, words: String) async throws {
    let courier = ScriptedCourier(.failure(error))
    #expect(try await bench.run(courier) == result)
    #expect(
      bench.story() == [
        "syncing 92", "failed \(name)", "retry in 21600", "completed: 0 accepted, 0 had, 0 parked, 92 queued",
      ])
    #expect(courier.requests.count == 1 && bench.clock.sleeps.isEmpty)
    let stored = try bench.stored
    #expect(stored.stop == nil && stored.queued == 92 && stored.failures == 1)
    #expect(stored.lastError?.contains(words) == true)
    #expect(stored.retry == .init(at: bench.clock.now.adding(minutes: 360), isAsked: false))
    #expect(try await bench.send(ScriptedCourier(.status(200)), .hurries) == .done)
  }

  @Test("an error of the report closure ends the run and closes the courier; sent samples stay sent")
  func cannotTell() async throws {
    let courier = ScriptedCourier(.status(200))
    let broken = LibreError.output(.refused(path: OutputError.standardOutput, number: EPIPE))
    let sync = Sync(
      tools: bench.tools(), environment: [:], courier: { _, _ in courier },
      report: { (event) throws(LibreError) in if case .success = event.kind { throw broken } })
    await #expect(throws: broken) { try await sync.send(to: [bench.setup], from: bench.store, urgency: .waits) }
    #expect(try courier.closings == 1 && courier.requests.count == 1 && bench.stored.queued == 0)
  }
}
