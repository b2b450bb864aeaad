// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Glibc
import SampleSinks
import SampleStore
import Testing

@testable import HostSystem
@testable import LibreKit
@testable import SampleSync

/// What stops a sink, and what keeps it from beginning.
struct SyncStopTests {
  @Test(
    "a receiver that does not let us in stops the sink at once, with its words, and the outbox is kept",
    arguments: [401, 403, 404, 410])
  func refused(status: Int) async throws {
    let bench = try SyncBench(.small)
    let courier = ScriptedCourier(.status(200), .status(status, "who are you?"))
    #expect(try await bench.run(courier, PlainSink(maximumBatch: 40)) == .refused)
    #expect(courier.batches.count == 2 && bench.clock.sleeps.isEmpty)
    let stored = try bench.stored
    let reason =
      (status == 401 ? "it requires a secret, but none is configured: " : "") + "HTTP \(status): who are you?"
    #expect(stored.stop == .init(.receiver, reason))
    #expect(stored.pending == 52 && stored.dead == 0 && stored.retry == nil)
    #expect(
      bench.story() == [
        "syncing 92", "success 40", "failed refused", "paused: \(reason)",
        "completed: 40 accepted, ? had, 0 dead, 52 pending",
      ])
    // Nothing more is asked of it, whoever insists.
    let later = ScriptedCourier(.status(200))
    #expect(try await bench.send(later, .insists) == .refused)
    #expect(later.requests.isEmpty && bench.story() == ["paused: \(reason)"])
    // Enabled, it goes on where it was, with the same key.
    try bench.store.enable(bench.setup, skipsGap: false, environment: [:])
    #expect(try await bench.run(later) == .done)
    #expect(later.batches.first == courier.batches.last)
    let lines = [courier.batches[0]] + later.batches
    #expect(try Set(lines.flatMap(\.lines)) == bench.sendable() && lines.flatMap(\.lines).count == 92)
  }

  @Test("enabled without what it lacks, a sink gets only what comes from then on")
  func skippedGap() async throws {
    let bench = try SyncBench(.small)
    #expect(try await bench.run(ScriptedCourier(.status(401))) == .refused)
    try bench.store.enable(bench.setup, skipsGap: true, environment: [:])
    let courier = ScriptedCourier(.status(200))
    #expect(try await bench.run(courier) == .done && courier.requests.isEmpty)
    try bench.scan(BenchHistory.person, atAge: 1_470)
    #expect(try await bench.run(courier) == .done)
    #expect(courier.batches.flatMap(\.lines).map(\.minute) == [1_440, 1_455])
  }

  @Test("what its user has stopped is quiet, and no failure")
  func stoppedByUser() async throws {
    let bench = try SyncBench(.small)
    try bench.store.disable(bench.stored)
    let courier = ScriptedCourier(.status(200))
    #expect(try await bench.send(courier, .insists) == .done)
    #expect(courier.requests.isEmpty && courier.closings == 0 && bench.story() == ["paused: disabled by you"])
  }

  @Test("what is switched off in the file is quiet, and no failure, and goes on when it is switched on")
  func switchedOff() async throws {
    let bench = try SyncBench(.small)
    let courier = ScriptedCourier(.status(200))
    #expect(try await bench.send(courier, .insists, to: [SyncBench.setup(["enabled": "false"])]) == .done)
    #expect(courier.requests.isEmpty && bench.story() == ["paused: \(SinkView.switchedOff)"])
    #expect(try await bench.send(courier) == .done && courier.requests.count == 1)
  }

  @Test("a user who stops a sink while it is sent to is heard before the next batch")
  func stoppedMeanwhile() async throws {
    let bench = try SyncBench(.small)
    let path = bench.path
    let courier = ScriptedCourier { (_) throws(DeliveryError) in
      do {
        let other = try StoreFile.openForWriting(path)
        try other.disable(try other.enrolledSink(SyncBench.name))
      } catch {
        throw .unavailable(reason: "\(error)")
      }
      return .ok
    }
    #expect(try await bench.run(courier, PlainSink(maximumBatch: 40)) == .done)
    #expect(
      bench.story() == [
        "syncing 92", "success 40", "paused: disabled by you", "completed: 40 accepted, ? had, 0 dead, 52 pending",
      ])
    #expect(try courier.requests.count == 1 && bench.stored.stop?.origin == .user && bench.stored.pending == 52)
  }

  @Test("a sink that is removed while it is sent to gets nothing more, and is not there again")
  func removedMeanwhile() async throws {
    let bench = try SyncBench(.small)
    let path = bench.path
    let courier = ScriptedCourier { (_) throws(DeliveryError) in
      do {
        let other = try StoreFile.openForWriting(path)
        try other.removeSink(try other.enrolledSink(SyncBench.name).id)
      } catch {
        throw .unavailable(reason: "\(error)")
      }
      return .ok
    }
    #expect(try await bench.run(courier, PlainSink(maximumBatch: 40)) == .done)
    #expect(bench.story() == ["syncing 92", "success 40", "completed: 40 accepted, ? had, 0 dead, 0 pending"])
    #expect(try courier.requests.count == 1 && bench.store.sinks().isEmpty && bench.store.check().faults == [])
  }

  // MARK: Before it begins

  @Test("a sink that is not enrolled is told, and nothing is sent")
  func notEnrolled() async throws {
    let bench = try SyncBench(.small)
    try bench.store.removeSink(bench.stored.id)
    let courier = ScriptedCourier(.status(200))
    #expect(try await bench.send(courier) == .done)
    #expect(courier.requests.isEmpty && bench.story() == ["paused: it is not enrolled in this store yet"])
  }

  @Test("a sink that was enrolled for another receiver, or another kind, does not go on with this one")
  func otherReceiver() async throws {
    let bench = try SyncBench(.small)
    let courier = ScriptedCourier(.status(200))
    for values in [["url": "https://elsewhere.example"], ["type": "influx", "user": "me"]] {
      let setup = try SyncBench.setup(values)
      let secrets = [setup.secretVariable: "x"]
      #expect(try await bench.send(courier, .insists, to: [setup], environment: secrets) == .misdirected)
      let told = bench.story()
      #expect(told.count == 1 && told[0].hasPrefix("paused: ") && told[0].contains("webhook \(PlainSink.address)"))
      #expect(told[0].contains(values["url"] ?? "influx"))
    }
    #expect(try courier.requests.isEmpty && bench.stored.pending == 0 && bench.stored.stop == nil)
    // Enabling it takes the new one.
    let setup = try SyncBench.setup(["url": "https://elsewhere.example"])
    try bench.store.enable(setup, skipsGap: false, environment: [:])
    #expect(try await bench.send(courier, to: [setup]) == .done)
    #expect(courier.requests.map(\.url) == ["https://elsewhere.example"])
  }

  @Test("a secret that cannot be had is told, and keeps no other sink from being sent to")
  func noSecret() async throws {
    let bench = try SyncBench(.small)
    let site = try SinkSetup(
      SinkSection(
        path: "/c", name: "site",
        values: ["type": "nightscout", "url": "https://site.example", "secret_file": "/no/such/file"], send: nil))
    try bench.store.enrol(
      "site", receiver: site.receiver, at: bench.clock.now, sendsFrom: Instant(secondsSince1970: 0))
    let courier = ScriptedCourier(.status(200))
    #expect(try await bench.send(courier, to: [site, bench.setup]) == .refused)
    #expect(courier.requests.map(\.url) == [PlainSink.address])
    guard case .failed(nil, .misdirected, let reason, []) = bench.events[0].kind else {
      Issue.record("\(bench.events[0])")
      return
    }
    #expect(reason.contains("/no/such/file") && bench.events[0].sink == "site")
    #expect(try bench.store.sink("site")?.stop == nil && bench.stored.pending == 0)
  }

  // MARK: The address, the library

  @Test("an address that is wrong is told, tried late, and counted as a failure")
  func misdirected() async throws {
    let bench = try SyncBench(.small)
    let courier = ScriptedCourier(.failure(.misdirected(reason: "the certificate is not theirs")))
    #expect(try await bench.run(courier) == .misdirected)
    #expect(
      bench.story() == [
        "syncing 92", "failed misdirected", "retry in 21600", "completed: 0 accepted, 0 had, 0 dead, 92 pending",
      ])
    #expect(courier.requests.count == 1 && bench.clock.sleeps.isEmpty)
    let stored = try bench.stored
    #expect(stored.failures == 1 && stored.stop == nil && stored.lastError == "the certificate is not theirs")
    #expect(stored.retry == .init(at: bench.clock.now.adding(minutes: 360), isAsked: false))
    // Mended, it goes as soon as the user says so.
    #expect(try await bench.send(ScriptedCourier(.status(200)), .hurries) == .done)
  }

  @Test("a broker that does not let us in stops the sink")
  func refusedByBroker() async throws {
    let bench = try SyncBench(.small)
    #expect(try await bench.run(ScriptedCourier(.failure(.refused(reason: "not authorised")))) == .refused)
    #expect(try bench.stored.stop == .init(.receiver, "not authorised"))
  }

  @Test("a library that is not there is told with what to install, and keeps no other sink from being sent to")
  func libraryMissing() async throws {
    let bench = try SyncBench(.small)
    let other = try SinkSetup(
      SinkSection(path: "/c", name: "other", values: ["type": "webhook", "url": "https://other.example"], send: nil))
    try bench.store.enrol(
      "other", receiver: "webhook https://other.example", at: bench.clock.now, sendsFrom: Instant(secondsSince1970: 0))
    let courier = ScriptedCourier { (request) throws(DeliveryError) in
      if request.url == PlainSink.address { throw .libraryMissing(name: "libcurl", package: "libcurl4") }
      return .ok
    }
    #expect(try await bench.send(courier, to: [bench.setup, other]) == .unequipped)
    #expect(
      bench.story() == [
        "syncing 92", "failed unequipped", "retry in 21600", "completed: 0 accepted, 0 had, 0 dead, 92 pending",
        "syncing 92", "success 92", "completed: 92 accepted, ? had, 0 dead, 0 pending",
      ])
    let stored = try bench.stored
    #expect(stored.lastError?.contains("libcurl4") == true && stored.stop == nil && stored.pending == 92)
    #expect(courier.closings == 2 && SyncResult.unequipped.exitStatus == 69)
    // Installed, it goes as soon as the user says so.
    #expect(try await bench.send(ScriptedCourier(.status(200)), .hurries) == .done)
  }

  @Test("an error of who is told ends the run, and the courier is closed; what has gone is gone")
  func cannotTell() async throws {
    let bench = try SyncBench(.small)
    let courier = ScriptedCourier(.status(200))
    let broken = LibreError.output(.refused(path: OutputError.standardOutput, number: EPIPE))
    let sync = Sync(
      tools: bench.tools(), environment: [:], courier: { _, _ in courier },
      report: { (event) throws(LibreError) in if case .success = event.kind { throw broken } })
    await #expect(throws: broken) { try await sync.send(to: [bench.setup], from: bench.store, urgency: .waits) }
    #expect(try courier.closings == 1 && courier.requests.count == 1 && bench.stored.pending == 0)
  }
}
