// SPDX-License-Identifier: Apache-2.0
import CGMModel
import SampleStore
import SampleSync
import SensorHistory
import Testing

@testable import LibreKit
@testable import SampleSync

/// A user who cancels a run must lose nothing, and no failure of the receiver may be counted.
struct SyncCancellationTests {
  private struct Left: Sendable {
    let result: SyncResult
    let story: [String]
    let stored: StoredSink
    let batches: [PlainRequest]
    let sleeps: Int
    /// The requests of a later run that is not cancelled.
    let rest: [PlainRequest]
    let sendable: Set<PlainRequest.Line>
  }

  private static func cancel() { withUnsafeCurrentTask { $0?.cancel() } }

  /// Runs in a task that `answer` cancels.
  private func left(_ answer: @escaping ScriptedCourier.Answer) async throws -> Left {
    try await Task {
      let bench = try SyncBench(.small)
      let courier = ScriptedCourier(answer)
      let sink = PlainSink(maximumBatch: 40)
      let result = try await bench.run(courier, sink)
      let (story, stored, sleeps) = (bench.story(), try bench.stored, bench.clock.sleeps.count)
      let rest = try await Task.detached { [path = bench.path] in
        let store = try StoreFile.openForWriting(path)
        return try await SyncBench.finish(store, sink)
      }.value
      return Left(
        result: result, story: story, stored: stored, batches: courier.batches, sleeps: sleeps, rest: rest,
        sendable: try bench.sendable())
    }.value
  }

  private func expectNoFailure(_ left: Left) {
    #expect(left.result == .interrupted)
    #expect(left.stored.failures == 0 && left.stored.retry == nil && left.stored.lastError == nil)
    #expect(left.stored.stop == nil && left.stored.parked == 0)
    #expect(!left.story.contains { $0.hasPrefix("failed") || $0.hasPrefix("retry") || $0.hasPrefix("paused") })
    #expect(left.story.last?.hasSuffix("\(left.stored.queued) queued") == true)
  }

  @Test("cancelled while waiting for a response: the batch goes again with the same key")
  func inDelivery() async throws {
    let left = try await left { (_) throws(Verdict) in
      Self.cancel()
      throw .unavailable(reason: "stopped")
    }
    expectNoFailure(left)
    #expect(left.story == ["syncing 92", "completed: 0 accepted, 0 had, 0 parked, 92 queued"])
    #expect(left.batches.count == 1 && left.sleeps == 0 && left.rest.first == left.batches[0])
    let lines = left.rest.flatMap(\.lines)
    #expect(Set(lines) == left.sendable && lines.count == 92)
  }

  @Test("cancelled after the response: the batch is delivered, and the next is not started")
  func afterAnswer() async throws {
    let left = try await left { _ in
      Self.cancel()
      return .ok
    }
    expectNoFailure(left)
    #expect(left.story == ["syncing 92", "success 40", "completed: 40 accepted, ? had, 0 parked, 52 queued"])
    #expect(left.batches.count == 1)
    let lines = (left.batches + left.rest).flatMap(\.lines)
    #expect(Set(lines) == left.sendable && lines.count == 92)
  }

  @Test("cancelled with a response that halves or refuses: its result is stored, and nothing more is sent")
  func afterOtherAnswer() async throws {
    for (status, result) in [(413, SyncResult.interrupted), (401, .refused)] {
      let left = try await left { _ in
        Self.cancel()
        return .status(status)
      }
      #expect(left.result == result && left.batches.count == 1 && left.stored.queued == 92)
      #expect((left.stored.stop != nil) == (status == 401))
    }
  }

  @Test("cancelled in the pause before a retry: the batch goes again, and no failure is counted")
  func inPause() async throws {
    let left = try await Task {
      let bench = try SyncBench(.small)
      let courier = ScriptedCourier(.status(503))
      let clock = bench.clock
      let tools = SyncTools(
        now: { clock.now },
        sleep: { _ in
          Self.cancel()
          return false
        }, random: { 0.5 })
      var run = SinkRun(
        bench.setup, PlainSink(maximumBatch: 40), enrolled: try bench.stored, in: bench.store, courier: courier,
        tools: tools, report: { bench.tell($0) })
      let result = try await run.run()
      return (result, bench.story(), try bench.stored, courier.requests.count)
    }.value
    #expect(left.0 == .interrupted && left.3 == 1)
    #expect(left.1 == ["syncing 92", "failed unavailable", "completed: 0 accepted, 0 had, 0 parked, 92 queued"])
    #expect(left.2.failures == 0 && left.2.retry == nil && left.2.lastError == nil)
  }

  @Test("cancelled before a sink's turn: it is not started, and the couriers are closed")
  func between() async throws {
    let left = try await Task {
      let bench = try SyncBench(.small)
      let courier = ScriptedCourier { _ in
        Self.cancel()
        return .ok
      }
      let other = try bench.another("other", ["type": "webhook", "url": "https://other.example"])
      let result = try await bench.send(courier, to: [bench.setup, other])
      return (result, courier.requests.count, courier.closings, bench.story())
    }.value
    #expect(left.0 == .interrupted && left.1 == 1 && left.2 == 1)
    #expect(left.3 == ["syncing 92", "success 92", "completed: 92 accepted, ? had, 0 parked, 0 queued"])
  }

  @Test("the real pause ends at once when it is cancelled, and reports that")
  func realPause() async {
    let task = Task { await SyncTools.real.sleep(3_600) }
    task.cancel()
    #expect(await task.value == false)
    #expect(await SyncTools.real.sleep(0) == true)
    for _ in 0..<100 { #expect((0..<1).contains(SyncTools.real.random())) }
  }
}
