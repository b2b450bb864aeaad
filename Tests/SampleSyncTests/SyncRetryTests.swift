// SPDX-License-Identifier: Apache-2.0
import CGMModel
import SampleStore
import SampleSync
import Testing

@testable import LibreKit
@testable import SampleSync

final class SyncRetryTests: SmallBenchTest {
  @Test("three attempts with two pauses, then later, with the same batch and key; all is reported")
  func unavailable() async throws {
    let courier = ScriptedCourier(.status(503, "maintenance"))
    #expect(try await bench.run(courier, PlainSink(maximumBatch: 40), random: 0.5) == .queued)
    #expect(
      bench.story() == [
        "syncing 92", "failed unavailable", "failed unavailable", "failed unavailable", "retry in 60",
        "completed: 0 accepted, 0 had, 0 parked, 92 queued",
      ])
    #expect(bench.clock.sleeps == [0.5, 1])
    let first = courier.batches
    #expect(first.count == 3 && Set(first).count == 1 && first[0].lines.count == 40)
    let stored = try bench.stored
    #expect(stored.failures == 1 && stored.lastError == "HTTP 503: maintenance" && stored.stop == nil)
    #expect(stored.retry == .init(at: bench.clock.now.adding(minutes: 1), isAsked: false))
    // The next run continues with it, also in another process.
    let next = ScriptedCourier(.status(200))
    #expect(try await bench.run(next, PlainSink(maximumBatch: 1_000)) == .done)
    #expect(next.batches.first == first[0])
    let lines = next.batches.flatMap(\.lines)
    #expect(try Set(lines) == bench.sendable() && lines.count == 92)
    #expect(try bench.stored.failures == 0 && bench.stored.retry == nil && bench.stored.lastError == nil)
  }

  @Test("each batch has three attempts")
  func triesOfEach() async throws {
    let courier = ScriptedCourier(.cut, .cut, .status(200), .cut, .cut, .status(200), .status(200))
    #expect(try await bench.run(courier, PlainSink(maximumBatch: 40)) == .done)
    #expect(courier.batches.count == 7 && bench.clock.sleeps == [0.5, 1, 0.5, 1])
  }

  @Test("a longer requested wait is left to the outbox without a retry, and kept up to a day", arguments: [31, 86_400])
  func longAsked(seconds: Int) async throws {
    let courier = ScriptedCourier(.status(429, "slow down", after: seconds))
    #expect(try await bench.run(courier) == .queued)
    #expect(courier.batches.count == 1 && bench.clock.sleeps.isEmpty)
    let at = Instant(secondsSince1970: bench.clock.now.secondsSince1970 + Int64(seconds))
    #expect(try bench.stored.retry == .init(at: at, isAsked: true))
    #expect(bench.story().dropFirst(2) == ["retry in \(seconds)", "completed: 0 accepted, 0 had, 0 parked, 92 queued"])
  }

  @Test("a wait of more than a day, which an older version has kept, is not waited for")
  func formerWait() async throws {
    let time = bench.clock.now.adding(minutes: 31 * 1_440)
    try bench.store.postpone(try bench.stored.id, .init(at: time, isAsked: true), error: "HTTP 429")
    #expect(try await bench.send(ScriptedCourier(.status(200)), .waits) == .done)
  }

  @Test(
    "our own wait holds for automatic sends; a requested wait holds for all but forced sends",
    arguments: [
      (Sync.Urgency.waits, false, false), (.waits, true, false), (.hurries, false, true), (.hurries, true, false),
      (.insists, false, true), (.insists, true, true),
    ])
  func urgency(urgency: Sync.Urgency, isAsked: Bool, goes: Bool) async throws {
    let first = isAsked ? ScriptedCourier(.status(503, after: 3_600)) : ScriptedCourier(.cut)
    #expect(try await bench.send(first) == .queued)
    let retry = try #require(try bench.stored.retry)
    #expect(retry.isAsked == isAsked && bench.story().count > 1)
    let courier = ScriptedCourier(.status(200))
    let told = "retry in \(retry.at.secondsSince1970 - bench.clock.now.secondsSince1970)"
    #expect(try await bench.send(courier, urgency) == (goes ? .done : .queued))
    #expect(courier.requests.count == (goes ? 1 : 0))
    if !goes {
      #expect(bench.story() == [told] && courier.closings == 0)
      // This attempt is not counted, and the batch goes when the time has come.
      #expect(try bench.stored.retry == retry && bench.stored.failures == 1)
      bench.clock.advance(retry.at.secondsSince1970 - bench.clock.now.secondsSince1970 - 1)
      #expect(try await bench.send(courier, urgency) == .queued && courier.requests.isEmpty)
      bench.clock.advance(1)
      #expect(try await bench.send(courier, urgency) == .done && courier.requests.count == 1)
    }
    #expect(try bench.stored.retry == nil && bench.stored.queued == 0)
  }

  @Test("a sink that waits or fails does not block others, and the most severe result is returned")
  func several() async throws {
    let other = try bench.another("other", ["type": "webhook", "url": "https://other.example"])
    let courier = ScriptedCourier { request in request.url == PlainSink.address ? .status(500) : .ok }
    #expect(try await bench.send(courier, to: [bench.setup, other]) == .queued)
    #expect(try bench.stored.queued == 92 && bench.store.sink("other")?.queued == 0)
    #expect(
      bench.events.filter { $0.sink == "other" }.map(\.words)
        == ["syncing 92", "success 92", "completed: 92 accepted, ? had, 0 parked, 0 queued"])
    let order = [SyncResult.done, .unequipped, .queued, .refused, .misdirected, .interrupted]
    #expect(order.sorted() == order)
  }
}
