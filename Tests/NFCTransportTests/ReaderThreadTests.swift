// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization
import Testing

@testable import NFCTransport

@Suite("A reader's thread", .timeLimit(.minutes(5)))
struct ReaderThreadTests {
  private let thread = ReaderThread("test")
  private let failure = TransportError.readerSilent(name: "test")

  @Test("brings back what the work gives or throws")
  func result() async throws {
    #expect(try await thread.perform(within: .seconds(60), orThrow: failure) { 42 } == 42)
    await #expect(throws: TransportError.noDaemon) {
      try await thread.perform(within: .seconds(60), orThrow: failure) { () throws(TransportError) in throw .noDaemon }
    }
  }

  @Test("does one thing after the other, in the order in which they came")
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

  @Test("gives up work that is not done in time, interrupts it, and throws at once until the thread is free again")
  func overdue() async throws {
    let gate = DispatchSemaphore(value: 0)
    let interrupted = DispatchSemaphore(value: 0)
    await #expect(throws: failure) {
      try await thread.perform(
        within: .milliseconds(20), orThrow: failure, interrupt: { interrupted.signal() }
      ) { gate.wait() }
    }
    #expect(wait(for: interrupted))
    await #expect(throws: failure) {
      try await thread.perform(within: .seconds(60), orThrow: .noTag) { 1 }
    }
    gate.signal()
    await thread.finish(within: .seconds(60)) {}
    #expect(try await thread.perform(within: .seconds(60), orThrow: failure) { 2 } == 2)
  }

  // MARK: Work that moves to the thread

  @Test("does a series of calls in the order of the work, and brings back its result")
  func series() async {
    let log = Log()
    let thread = thread
    let sum = await thread.run(
      {
        var sum = 0
        for number in 1...50 {
          sum +=
            (try? await thread.perform(within: .seconds(60), orThrow: .noTag) {
              log.add(number); return number
            }) ?? 0
        }
        return sum
      }, rescue: { _ in -1 })
    #expect(sum == 1275)
    #expect(log.entries == Array(1...50))
  }

  @Test("leaves work behind that is stuck in a call, and makes the result of its failure")
  func rescue() async throws {
    let gate = DispatchSemaphore(value: 0)
    let thread = thread
    let failure = failure
    let result = await thread.run(
      { () -> TransportError? in
        try? await thread.perform(within: .milliseconds(20), orThrow: failure) { gate.wait() }
        return nil
      }, rescue: { $0 })
    #expect(result == failure)
    await #expect(throws: failure) { try await thread.perform(within: .seconds(60), orThrow: .noTag) { 1 } }
    gate.signal()
    await thread.finish(within: .seconds(60)) {}
    #expect(try await thread.perform(within: .seconds(60), orThrow: failure) { 2 } == 2)
  }

  @Test("cancels the work with the task that waits for it, and interrupts its call")
  func cancelledSeries() async {
    let gate = DispatchSemaphore(value: 0)
    let (begun, announcing) = AsyncStream.makeStream(of: Void.self)
    let thread = thread
    let waiting = Task {
      await thread.run(
        { () -> TransportError? in
          do throws(TransportError) {
            try await thread.perform(within: .seconds(60), orThrow: .noTag, interrupt: { gate.signal() }) {
              announcing.yield()
              gate.wait()
            }
            return nil
          } catch {
            return error
          }
        }, rescue: { $0 })
    }
    // A blocking wait would take a thread from the task that is to begin.
    for await _ in begun { break }
    waiting.cancel()
    #expect(await waiting.value == .cancelled)
  }

  @Test("does not begin work that was given up while it waited for its turn")
  func skipped() async throws {
    let gate = DispatchSemaphore(value: 0)
    let log = Log()
    let first = start { gate.wait() }
    await #expect(throws: TransportError.noTag) {
      try await thread.perform(within: .milliseconds(20), orThrow: .noTag) { log.add(1) }
    }
    gate.signal()
    _ = await first.result
    await thread.finish(within: .seconds(60)) {}
    #expect(log.entries.isEmpty)
  }

  @Test("throws as soon as its task is cancelled, and interrupts the work")
  func cancelled() async throws {
    let gate = DispatchSemaphore(value: 0)
    let task = start(interrupt: { gate.signal() }) { gate.wait() }
    task.cancel()
    await #expect(throws: TransportError.cancelled) { try await task.value }
    // The interruption has freed the thread.
    #expect(try await thread.perform(within: .seconds(60), orThrow: failure) { 1 } == 1)
  }

  @Test("does its last work in a cancelled task too")
  func finishing() async {
    let log = Log()
    await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await thread.finish(within: .seconds(60)) { log.add(1) }
    }.value
    #expect(log.entries == [1])
  }

  @Test("waits for its last work no longer than it is told, but does it when it can")
  func lateFinishing() async {
    let gate = DispatchSemaphore(value: 0)
    let done = DispatchSemaphore(value: 0)
    let first = start { gate.wait() }
    await thread.finish(within: .milliseconds(20)) { done.signal() }
    gate.signal()
    #expect(wait(for: done))
    _ = await first.result
  }

  @Test("keeps each of many deadlines with one timer")
  func deadlines() async throws {
    let gate = DispatchSemaphore(value: 0)
    await withTaskGroup(of: Void.self) { group in
      for limit in [60, 20, 40] {
        group.addTask {
          await #expect(throws: TransportError.tagSilent(block: limit)) {
            try await thread.perform(within: .milliseconds(limit), orThrow: .tagSilent(block: limit)) { gate.wait() }
          }
        }
      }
    }
    gate.signal()
  }

  /// A call that has been given to the thread when this returns.
  private func start(
    interrupt: @escaping @Sendable () -> Void = {}, _ work: @escaping @Sendable () -> Void
  ) -> Task<Void, any Error> {
    Task.immediate {
      try await thread.perform(within: .seconds(60), orThrow: failure, interrupt: interrupt, work)
    }
  }

  private func wait(for semaphore: DispatchSemaphore) -> Bool { semaphore.wait(timeout: .now() + 30) == .success }
}

private final class Log: Sendable {
  private let numbers = Mutex<[Int]>([])

  var entries: [Int] { numbers.withLock { $0 } }

  func add(_ number: Int) { numbers.withLock { $0.append(number) } }
}
