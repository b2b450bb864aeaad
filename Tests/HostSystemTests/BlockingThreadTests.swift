// SPDX-License-Identifier: Apache-2.0
import Dispatch
import HostSystem
import Synchronization
import TestSupport
import Testing

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

  @Test("does one call after the other, in the order of arrival")
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
    #expect(log.entries == [1, 2, 3])
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
    await #expect(throws: failure) {
      try await thread.perform(within: ample, orThrow: .other) { 1 }
    }
    gate.signal()
    await thread.finish(within: ample) {}
    #expect(try await thread.perform(within: ample, orThrow: failure) { 2 } == 2)
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
    await #expect(throws: failure) { try await thread.perform(within: ample, orThrow: .other) { 1 } }
    gate.signal()
    await thread.finish(within: ample) {}
    #expect(try await thread.perform(within: ample, orThrow: failure) { 2 } == 2)
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

  @Test("does not start work that was given up while it was queued")
  func skipped() async throws {
    let gate = DispatchSemaphore(value: 0)
    let log = Log()
    let first = start { gate.wait() }
    await #expect(throws: ThreadFailure.other) {
      try await thread.perform(within: .milliseconds(20), orThrow: .other) { log.add(1) }
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

  @Test("runs its final work also in a cancelled task")
  func finishing() async {
    let log = Log()
    await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await thread.finish(within: ample) { log.add(1) }
    }.value
    #expect(log.entries == [1])
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

  @Test("observes many deadlines with one timer")
  func deadlines() async throws {
    let gate = DispatchSemaphore(value: 0)
    // The others are queued: an overdue call that had started would make the later ones throw its error.
    let first = start { gate.wait() }
    await withTaskGroup(of: Void.self) { group in
      for limit in [60, 20, 40] {
        group.addTask {
          await #expect(throws: ThreadFailure.late(limit)) {
            try await thread.perform(within: .milliseconds(limit), orThrow: .late(limit)) {}
          }
        }
      }
    }
    gate.signal()
    _ = await first.result
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
