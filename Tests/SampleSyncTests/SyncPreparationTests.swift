// SPDX-License-Identifier: Apache-2.0
import CGMModel
import SampleStore
import SampleSync
import Testing

@testable import LibreKit

final class SyncPreparationTests: SmallBenchTest {
  private let sink = PlainSink(maximumBatch: 40, kept: ["user", "set"], session: ["token"])

  /// Answers a preparation request with its own name, and a batch as given.
  private func receiver(_ answers: Result<HTTPResponse, Verdict>...) -> ScriptedCourier {
    let batches = ScriptedCourier(all: answers.isEmpty ? [.status(200)] : answers)
    return ScriptedCourier { (request) throws(Verdict) in
      let name = request.url.split(separator: "/").last ?? ""
      return PlainRequest(request).isBatch ? try await batches.ask(request) : .status(200, "a-\(name)")
    }
  }

  private func urls(_ courier: ScriptedCourier) -> [String] {
    courier.plain.map { $0.isBatch ? "batch" : String($0.url.split(separator: "/").last ?? "") }
  }

  @Test("preparation requests come once, in order, before the first batch; every batch has their results")
  func order() async throws {
    let courier = receiver()
    #expect(try await bench.run(courier, sink) == .done)
    #expect(urls(courier) == ["user", "set", "token", "batch", "batch", "batch"])
    #expect(courier.batches.allSatisfy { $0.known == "a-user a-set a-token" })
    #expect(
      bench.story().dropFirst() == [
        "success 40", "success 40", "success 12", "completed: 92 accepted, ? had, 0 parked, 0 queued",
      ])
    // Facts about the receiver are kept, the session is not.
    #expect(try bench.stored.memory == ["user": "a-user", "set": "a-set"])
    try bench.scan(BenchHistory.person, atAge: 1_500)
    let next = receiver()
    #expect(try await bench.run(next, sink) == .done)
    #expect(urls(next) == ["token", "batch"] && next.batches[0].known == "a-user a-set a-token")
    // None is sent if there are no samples to send.
    let idle = receiver()
    #expect(try await bench.run(idle, sink) == .done && idle.requests.isEmpty)
  }

  @Test("results from before a failure are kept, and not requested again")
  func keptBeforeFailure() async throws {
    let courier = ScriptedCourier(.status(200, "u1"), .status(503))
    #expect(try await bench.run(courier, sink) == .queued)
    #expect(urls(courier) == ["user", "set", "set", "set"])
    #expect(try bench.stored.memory == ["user": "u1"])
    #expect(
      bench.story() == [
        "syncing 92", "failed unavailable", "failed unavailable", "failed unavailable", "retry in 60",
        "completed: 0 accepted, 0 had, 0 parked, 92 queued",
      ])
    let next = receiver()
    #expect(try await bench.run(next, sink) == .done)
    #expect(urls(next).prefix(3) == ["set", "token", "batch"] && next.batches[0].known == "u1 a-set a-token")
  }

  @Test("a failed preparation request is reported without a batch, and the batch has no attempt")
  func failedQuestion() async throws {
    #expect(try await bench.run(ScriptedCourier(.cut), sink) == .queued)
    for event in bench.events {
      if case .failed(let key, let failure, let reason, let rejected) = event.kind {
        #expect(key == nil && failure == .unavailable && reason == "no answer" && rejected.isEmpty)
      }
    }
    #expect(try bench.store.nextBatch(of: bench.stored.id, limit: 40)?.attempts == 0 && bench.stored.failures == 1)
    _ = try await bench.run(receiver(.cut), sink)
    #expect(try bench.store.nextBatch(of: bench.stored.id, limit: 40)?.attempts == 3)
  }

  @Test("Retry-After of a preparation request is kept like that of a batch")
  func askedByQuestion() async throws {
    #expect(try await bench.run(ScriptedCourier(.status(429, after: 7), .status(429, after: 4_000)), sink) == .queued)
    #expect(bench.clock.sleeps == [7])
    #expect(try bench.stored.retry?.isAsked == true)
    #expect(bench.story().contains("retry in 4000"))
  }

  @Test(
    "a permanent error of a preparation request stops the sink, and parks or halves nothing",
    arguments: [400, 401, 403, 404, 413, 422])
  func stopping(status: Int) async throws {
    let courier = ScriptedCourier(.status(status, "no"))
    #expect(try await bench.run(courier, sink) == .refused)
    #expect(courier.requests.count == 1)
    let stored = try bench.stored
    let reason = (status == 401 ? "it requires a secret, but none is configured: " : "") + "HTTP \(status): no"
    #expect(stored.stop == .init(.receiver, reason) && stored.parked == 0 && stored.queued == 92)
    #expect(
      bench.story() == [
        "syncing 92", "failed refused", "paused: \(reason)",
        "completed: 0 accepted, 0 had, 0 parked, 92 queued",
      ])
    #expect(try bench.store.nextBatch(of: stored.id, limit: 1)?.samples.count == 40)
  }

  @Test("a receiver with an endless number of preparation requests is stopped")
  func endless() async throws {
    let courier = receiver()
    let names = (0..<1_000).map { "n\($0)" }
    #expect(try await bench.run(courier, PlainSink(session: names)) == .refused)
    #expect(courier.batches.isEmpty && courier.requests.count <= 10)
    #expect(try bench.stored.stop != nil && bench.stored.queued == 92)
  }

  @Test("an expired session is opened again, once for each batch, and the batch goes with the same key")
  func sessionEnded() async throws {
    let courier = receiver(.status(200), .status(440), .status(200), .status(440), .status(200))
    #expect(try await bench.run(courier, sink) == .done)
    let again = ["batch", "token", "batch"]
    #expect(urls(courier) == ["user", "set", "token", "batch"] + again + again)
    #expect(courier.batches[1] == courier.batches[2] && courier.batches[3] == courier.batches[4])
    #expect(
      bench.story() == [
        "syncing 92", "success 40", "failed session_ended", "success 40", "failed session_ended", "success 12",
        "completed: 92 accepted, ? had, 0 parked, 0 queued",
      ])
    #expect(try bench.clock.sleeps.isEmpty && bench.stored.failures == 0)
  }

  @Test("a session that expires again at once stops the sink")
  func sessionEndedTwice() async throws {
    let courier = receiver(.status(440))
    #expect(try await bench.run(courier, sink) == .refused)
    #expect(urls(courier) == ["user", "set", "token", "batch", "token", "batch"])
    #expect(
      bench.story() == [
        "syncing 92", "failed session_ended", "failed refused", "paused: the session is over",
        "completed: 0 accepted, 0 had, 0 parked, 92 queued",
      ])
    #expect(try bench.stored.queued == 92 && bench.stored.stop == .init(.receiver, "the session is over"))
    // Earlier results are still known.
    #expect(try bench.stored.memory == ["user": "a-user", "set": "a-set"])
  }
}
