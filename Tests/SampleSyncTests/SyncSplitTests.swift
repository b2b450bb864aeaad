// SPDX-License-Identifier: Apache-2.0
import CGMModel
import SampleStore
import SampleSync
import Testing

@testable import LibreKit
@testable import SampleSync

struct SyncSplitTests {
  private func narrow(_ limit: Int) -> ScriptedCourier {
    ScriptedCourier { PlainRequest($0).lines.count > limit ? .status(413, "too much") : .ok }
  }

  private func picky(_ bad: Set<PlainRequest.Line>, _ status: Int = 400) -> ScriptedCourier {
    ScriptedCourier { request in
      guard let culprit = PlainRequest(request).lines.first(where: bad.contains) else { return .ok }
      return .status(status, "minute \(culprit.minute) is wrong")
    }
  }

  @Test("a batch that is too large is sent in halves, each with its own key", arguments: [1_000, 100, 24, 7, 1])
  func tooLarge(limit: Int) async throws {
    let bench = try SyncBench(.small)
    let courier = narrow(limit)
    #expect(try await bench.run(courier) == .done)
    let taken = courier.batches.filter { $0.lines.count <= limit }
    let lines = taken.flatMap(\.lines)
    #expect(try Set(lines) == bench.sendable() && lines.count == 92)
    #expect(Set(taken.compactMap(\.key)).count == taken.count)
    #expect(Set(courier.batches.compactMap(\.key)).count == courier.batches.count)
    #expect(try bench.stored.parked == 0 && bench.stored.failures == 0 && bench.clock.sleeps.isEmpty)
    let failed = bench.events.filter { $0.words == "failed too_large" }.count
    #expect(failed == courier.batches.count - taken.count)
  }

  @Test(
    "one invalid sample of a thousand is parked with the receiver's message, after few requests", arguments: [400, 422])
  func oneBad(status: Int) async throws {
    let bench = try SyncBench()
    let sendable = try bench.sendable()
    for place in status == 400 ? [0, 555] : [sendable.count - 1] {
      let bench = try SyncBench()
      let bad = try #require(sendable.sorted { $0.time < $1.time }[place...].first)
      let courier = picky([bad], status)
      #expect(try await bench.run(courier) == .done)
      let taken = courier.batches.filter { !$0.lines.contains(bad) }.flatMap(\.lines)
      #expect(taken.count == sendable.count - 1 && Set(taken) == sendable.subtracting([bad]))
      // Halving one batch of n finds it in 2·log2(n) more requests.
      let wears = 3, weeks = 3
      #expect(courier.batches.count <= 20 + wears * weeks, "\(courier.batches.count)")
      let letters = try bench.store.parkedEntries(of: bench.stored)
      let words = "HTTP \(status): minute \(bad.minute) is wrong"
      #expect(letters.map(\.reason) == [words] && letters.map(\.at) == [bench.clock.now])
      #expect(letters.compactMap(\.stored?.sample.minute.value) == [bad.minute])
      #expect(try bench.stored.queued == 0 && bench.stored.stop == nil && bench.stored.failures == 0)
      let parked = bench.events.filter {
        if case .failed(_, .rejected, _, let list) = $0.kind { !list.isEmpty } else { false }
      }
      #expect(parked.count == 1)
      guard case .failed(let key?, _, words, let rejected)? = parked.first?.kind else { return #expect(Bool(false)) }
      #expect(rejected == [SyncEvent.Rejection(id: rejected.first?.id, reason: words)])
      #expect(rejected.first?.id?.description == bad.id)
      #expect(courier.batches.last { $0.lines == [bad] }?.key == key)
      // It is sent again only if the user requests it.
      #expect(try await bench.run(courier) == .done && bench.events.last?.words == "nothing")
      #expect(try bench.store.retryParked(of: bench.stored.id) == 1)
      let kinder = ScriptedCourier(.status(200))
      #expect(try await bench.run(kinder) == .done)
      #expect(kinder.batches.map(\.lines) == [[bad]])
      #expect(try bench.stored.parked == 0)
    }
  }

  @Test("a receiver that accepts nothing is stopped after ten samples, and nothing is lost", arguments: [400, 413])
  func allBad(status: Int) async throws {
    let bench = try SyncBench()
    let sendable = try bench.sendable()
    let courier = ScriptedCourier(.status(status, "no"))
    #expect(try await bench.run(courier) == .refused)
    let stored = try bench.stored
    #expect(stored.parked == 10 && stored.queued == sendable.count - 10)
    let reason = try #require(stored.stop?.reason)
    #expect(stored.stop?.origin == .receiver && reason.contains("10") && reason.hasSuffix("HTTP \(status): no"))
    #expect(
      bench.events.suffix(3).map(\.words) == [
        "failed refused", "paused: \(reason)", "completed: 0 accepted, 0 had, 10 parked, \(sendable.count - 10) queued",
      ])
    // The oldest ones, found with few requests.
    let oldest = sendable.map(\.time).sorted().prefix(10)
    #expect(
      try bench.store.parkedEntries(of: stored).compactMap { $0.entry.time?.secondsSince1970 } == Array(oldest))
    #expect(courier.batches.count <= 40, "\(courier.batches.count)")
    // When the receiver is fixed, all samples are delivered.
    try bench.store.enable(bench.setup, skipsGap: false, environment: [:])
    #expect(try bench.store.retryParked(of: bench.stored.id) == 10)
    let kinder = ScriptedCourier(.status(200))
    #expect(try await bench.run(kinder) == .done)
    let lines = kinder.batches.flatMap(\.lines)
    #expect(lines.count == sendable.count && Set(lines) == sendable)
  }

  @Test("ten invalid samples in a row after a valid one are parked, and the sink continues")
  func badAfterGood() async throws {
    let bench = try SyncBench(.small)
    let sorted = try bench.sendable().sorted { $0.time < $1.time }
    let courier = picky(Set(sorted[1...40]))
    #expect(try await bench.run(courier, PlainSink(maximumBatch: 1)) == .done)
    #expect(try bench.stored.parked == 40 && bench.stored.queued == 0)
  }

  @Test("a sample that the receiver cannot store is parked before sending, and the rest of its batch goes")
  func unsuitable() async throws {
    let bench = try SyncBench(.small)
    let sendable = try bench.sendable()
    let courier = ScriptedCourier(.status(200))
    #expect(try await bench.run(courier, PlainSink(unsuitable: [300, 600])) == .done)
    #expect(
      bench.events.map(\.words) == [
        "syncing 92", "failed unsuitable 2", "success 90", "completed: 90 accepted, ? had, 2 parked, 0 queued",
      ])
    #expect(courier.batches.count == 1)
    #expect(Set(courier.batches.flatMap(\.lines)) == sendable.filter { ![300, 600].contains($0.minute) })
    let letters = try bench.store.parkedEntries(of: bench.stored)
    #expect(letters.map(\.reason) == ["minute 300 does not fit", "minute 600 does not fit"])
    guard case .failed(let key?, .unsuitable, _, let rejected) = bench.events[1].kind else { return }
    #expect(key == courier.batches[0].key)
    #expect(
      Set(rejected.map { $0.id?.description ?? "" })
        == Set(sendable.filter { [300, 600].contains($0.minute) }.map(\.id)))
    #expect(rejected.map(\.reason) == letters.map(\.reason))
  }
}
