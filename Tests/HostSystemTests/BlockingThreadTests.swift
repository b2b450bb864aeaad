// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import HostSystem

@Suite("A thread for calls that block")
struct BlockingThreadTests {
  private let thread = BlockingThread("test", cancelled: ThreadFailure.cancelled, refusesWhileStuck: true)
  private let failure = ThreadFailure.stuck
  /// The deadline of calls that end by themselves.
  private let ample = Duration.seconds(3_600)

  @Test("returns the result or the error of the work")
  func result() async throws {
    #expect(try await thread.perform(within: ample, orThrow: failure) { 42 } == 42)
    await #expect(throws: ThreadFailure.thrown) {
      try await thread.perform(within: ample, orThrow: failure) { () throws(ThreadFailure) in throw .thrown }
    }
  }

  @Test("does one call after the other, in the order of arrival, and its final work also in a cancelled task")
  func order() async {
    let gate = DispatchSemaphore(value: 0)
    let log = Log()
    let tasks = (1...3).map { number in
      start {
        if number == 1 { gate.wait() }
        log.add(number)
      }
    }
    gate.signal()
    for task in tasks { _ = await task.result }
    await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await thread.finish(within: ample) { log.add(4) }
    }.value
    #expect(log.entries == [1, 2, 3, 4])
  }

  @Test("gives up work at its deadline, interrupts it, and throws the same error until the thread is free again")
  func overdue() async throws {
    let gate = DispatchSemaphore(value: 0)
    let interrupted = DispatchSemaphore(value: 0)
    await untilBegun { limit, begin in
      await #expect(throws: failure) {
        try await thread.perform(
          within: limit, orThrow: failure, interrupt: { interrupted.signal() }
        ) {
          begin()
          gate.wait()
        }
      }
    }
    try await blocking { interrupted.wait() }
    try await expectStuck(until: gate)
  }

  @Test("runs a series of calls in the order of the work, and returns its result")
  func series() async {
    let log = Log()
    let thread = thread
    let sum = await thread.run(
      {
        var sum = 0
        for number in 1...50 {
          sum +=
            (try? await thread.perform(within: ample, orThrow: .other) {
              log.add(number); return number
            }) ?? 0
        }
        return sum
      }, rescue: { _ in -1 })
    #expect(sum == 1275)
    #expect(log.entries == Array(1...50))
  }

  @Test("abandons work that is stuck in a call, and returns the result made from its failure")
  func rescue() async throws {
    let gate = DispatchSemaphore(value: 0)
    let thread = thread
    let failure = failure
    await untilBegun { limit, begin in
      let result = await thread.run(
        { () -> ThreadFailure? in
          try? await thread.perform(within: limit, orThrow: failure) {
            begin()
            gate.wait()
          }
          return nil
        }, rescue: { $0 })
      #expect(result == failure)
    }
    try await expectStuck(until: gate)
  }

  @Test("cancels the work with the task that waits for it, and interrupts its call")
  func cancelledSeries() async {
    let gate = DispatchSemaphore(value: 0)
    let (begun, announcing) = AsyncStream.makeStream(of: Void.self)
    let thread = thread
    let waiting = Task {
      await thread.run(
        { () -> ThreadFailure? in
          do throws(ThreadFailure) {
            try await thread.perform(within: ample, orThrow: .other, interrupt: { gate.signal() }) {
              announcing.yield()
              gate.wait()
            }
            return nil
          } catch {
            return error
          }
        }, rescue: { $0 })
    }
    // A blocking wait would take a thread from the task that is about to start.
    for await _ in begun { break }
    waiting.cancel()
    #expect(await waiting.value == .cancelled)
  }

  @Test("does not start work that was given up while it was queued, and observes many deadlines with one timer")
  func skipped() async throws {
    let gate = DispatchSemaphore(value: 0)
    let log = Log()
    // The others are queued: an overdue call that had started would make the later ones throw its error.
    let first = start { gate.wait() }
    await withTaskGroup(of: Void.self) { group in
      for limit in [60, 20, 40] {
        group.addTask {
          await #expect(throws: ThreadFailure.late(limit)) {
            try await thread.perform(within: .milliseconds(limit), orThrow: .late(limit)) { log.add(limit) }
          }
        }
      }
    }
    gate.signal()
    _ = await first.result
    await thread.finish(within: ample) {}
    #expect(log.entries.isEmpty)
  }

  @Test("throws as soon as its task is cancelled, and interrupts the work")
  func cancelled() async throws {
    let gate = DispatchSemaphore(value: 0)
    let task = start(interrupt: { gate.signal() }) { gate.wait() }
    task.cancel()
    await #expect(throws: ThreadFailure.cancelled) { try await task.value }
    // The interruption has freed the thread.
    #expect(try await thread.perform(within: ample, orThrow: failure) { 1 } == 1)
  }

  @Test("waits for its final work only until the deadline, but runs it when the thread is free")
  func lateFinishing() async throws {
    let gate = DispatchSemaphore(value: 0)
    let done = DispatchSemaphore(value: 0)
    let first = start { gate.wait() }
    await thread.finish(within: .milliseconds(20)) { done.signal() }
    gate.signal()
    try await blocking { done.wait() }
    _ = await first.result
  }

  /// Expects the thread to throw the error of the call that keeps it, and to be free again when the gate opens.
  private func expectStuck(until gate: DispatchSemaphore) async throws {
    await #expect(throws: failure) { try await thread.perform(within: ample, orThrow: .other) { 1 } }
    gate.signal()
    await thread.finish(within: ample) {}
    #expect(try await thread.perform(within: ample, orThrow: failure) { 2 } == 2)
  }

  /// A call that the thread has received when this function returns.
  private func start(
    interrupt: @escaping @Sendable () -> Void = {}, _ work: @escaping @Sendable () -> Void
  ) -> Task<Void, any Error> {
    Task.immediate {
      try await thread.perform(within: ample, orThrow: failure, interrupt: interrupt, work)
    }
  }

  /// Makes an attempt with a short deadline. If the machine is so busy that the work had not started by then, which is
  /// another case, it makes another attempt with twice the time.
  private func untilBegun(
    _ attempt: (_ limit: Duration, _ begin: @escaping @Sendable () -> Void) async -> Void
  ) async {
    let log = Log()
    var limit = Duration.milliseconds(20)
    while log.entries.isEmpty {
      await attempt(limit) { log.add(1) }
      limit *= 2
    }
  }
}

private enum ThreadFailure: Error, Hashable {
  case stuck, other, thrown, cancelled
  case late(Int)
}

private final class Log: Sendable {
  private let numbers = Mutex<[Int]>([])

  var entries: [Int] { numbers.withLock { $0 } }

  func add(_ number: Int) { numbers.withLock { $0.append(number) } }
}

struct OrderedWorkTests {
  private struct Full: Error {}

  /// The outcomes of work on the numbers below `count`, in the order in which they were taken.
  private func outcomes(
    of count: Int, jobs: Int, _ work: @escaping @Sendable (Int) -> Int = { $0 }
  ) -> [Int] {
    OrderedWork.run(
      jobs: jobs, from: (0..<count).makeIterator(), into: [], next: { $0.next() }, work: work,
      take: { (taken: inout [Int], outcome) in taken.append(outcome) })
  }

  @Test("all outcomes are taken in the order of the parts, whatever the number of jobs", arguments: [1, 2, 3, 16])
  func order(jobs: Int) {
    for count in [0, 1, 2, 5, 1_000] {
      #expect(outcomes(of: count, jobs: jobs) { $0 * 3 } == (0..<count).map { $0 * 3 })
    }
  }

  @Test("two jobs work at the same time, and an outcome waits for the earlier ones although it was ready before")
  func waiting() {
    let second = DispatchSemaphore(value: 0)
    let taken = outcomes(of: 2, jobs: 2) { number in
      if number == 0 { second.wait() } else { second.signal() }
      return number
    }
    #expect(taken == [0, 1])
  }

  @Test("no more parts are in memory than twice the number of jobs")
  func bound() {
    let open = Mutex((now: 0, most: 0))
    _ = OrderedWork.run(
      jobs: 3, from: (0..<500).makeIterator(), into: 0,
      next: { numbers in
        guard let number = numbers.next() else { return nil }
        open.withLock { open in
          open.now += 1
          open.most = max(open.most, open.now)
        }
        return number
      },
      work: { (number: Int) in number },
      take: { (_: inout Int, _: Int) in open.withLock { $0.now -= 1 } })
    #expect(open.withLock { $0.now == 0 && $0.most <= 6 })
  }

  @Test("an error of the receiver ends the work, although a thread waits for the next part", arguments: [1, 2, 4])
  func failure(jobs: Int) {
    let forever = DispatchSemaphore(value: 0)
    defer { forever.signal() }
    #expect(throws: Full.self) {
      _ = try OrderedWork.run(
        jobs: jobs, from: (0..<3).makeIterator(), into: 0,
        next: { numbers in
          guard let number = numbers.next() else {
            forever.wait()
            return nil
          }
          return number
        },
        work: { (number: Int) in number },
        take: { (count: inout Int, _: Int) throws(Full) in
          count += 1
          if count == 2 { throw Full() }
        })
    }
  }

  @Test("the threads have room for deep recursion")
  func stack() {
    @Sendable func depth(_ rest: Int) -> Int { rest == 0 ? 0 : 1 + depth(rest - 1) }
    #expect(outcomes(of: 2, jobs: 2) { _ in depth(5_000) } == [5_000, 5_000])
  }
}
