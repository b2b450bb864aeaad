// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization

/// Which thread a queue's work is on; outside the class, since a generic type has no static storage.
private let threadKey = DispatchSpecificKey<ObjectIdentifier>()

/// A thread on which C calls may block: the cooperative pool never waits for hardware, a network or a disk.
///
/// Each call from elsewhere changes threads twice, which for a read of 17 exchanges costs about as much as the exchanges
/// with pcscd themselves (run: `make bench`). `run` brings the whole read onto the thread instead.
///
/// A call that does not come back within its deadline is given up: its caller gets the error. Where `refusesWhileStuck`
/// is set, every later caller gets the same error at once, until the thread has come back from the C library after all.
package final class BlockingThread<Failure: Error>: Sendable {
  private let queue: DispatchQueue
  private let cancelled: Failure
  private let refusesWhileStuck: Bool
  private let deadlines = Deadlines<Failure>()
  private let rescues = Rescues<Failure>()

  /// `cancelled` is what a call throws whose task is cancelled.
  package init(_ label: String, cancelled: Failure, refusesWhileStuck: Bool) {
    queue = DispatchQueue(label: label)
    self.cancelled = cancelled
    self.refusesWhileStuck = refusesWhileStuck
    queue.setSpecific(key: threadKey, value: ObjectIdentifier(self))
  }

  /// Does `work` on the thread, where its calls of `perform` wait for nothing but the C library.
  ///
  /// If a call outlasts its deadline, `work` is left behind in it, and the result is what `rescue` makes of the call's
  /// failure.
  package func run<Value: Sendable>(
    _ work: @escaping @Sendable () async -> Value, rescue: @escaping @Sendable (Failure) -> Value
  ) async -> Value {
    let answer = FirstAnswer<Value, Failure>()
    let number = rescues.add { answer.give(.success(rescue($0))) }
    defer { rescues.remove(number) }
    let task = Task(executorPreference: self) { answer.give(.success(await work())) }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { answer.wait($0) }
    } onCancel: {
      task.cancel()
    }
    switch result {
    case .success(let value): return value
    case .failure(let error): return rescue(error)
    }
  }

  /// Runs `work` on the thread, after all that was given to it before.
  ///
  /// Throws what it throws; `failure` if it is not done within `limit`, counted from this call; `cancelled` if the task is
  /// cancelled first. In both cases `isWanted` says so to `work`, and `interrupt` is called, on some thread, to bring the
  /// C call back.
  package func perform<Value: Sendable>(
    within limit: Duration, orThrow failure: Failure, interrupt: @escaping @Sendable () -> Void = {},
    _ work: @escaping @Sendable (_ isWanted: () -> Bool) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    if refusesWhileStuck, let overdue = deadlines.overdue { throw overdue }
    let answer = FirstAnswer<Value, Failure>()
    let giveUp: @Sendable (Failure) -> Void = { error in
      // Elsewhere, because an interruption may itself have to wait for a service that hangs.
      if answer.give(.failure(error)) { DispatchQueue.global().async(execute: interrupt) }
    }
    if DispatchQueue.getSpecific(key: threadKey) == ObjectIdentifier(self) {
      return try await performHere(limit, failure, answer, giveUp, work)
    }
    return try await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        answer.wait(continuation)
        let call = deadlines.add(limit, failure, giveUp)
        queue.async { [deadlines] in
          guard answer.isOpen else { return deadlines.remove(call) }
          deadlines.begin(call)
          let result = Result { () throws(Failure) in try work { answer.isOpen } }
          deadlines.remove(call)
          answer.give(result)
        }
      }
    } onCancel: {
      giveUp(cancelled)
    }.get()
  }

  /// Runs work that does not ask whether it is still wanted.
  package func perform<Value: Sendable>(
    within limit: Duration, orThrow failure: Failure, interrupt: @escaping @Sendable () -> Void = {},
    _ work: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try await perform(within: limit, orThrow: failure, interrupt: interrupt) { _ throws(Failure) in try work() }
  }

  /// Runs `work` on this thread, which is the queue's own already.
  private func performHere<Value: Sendable>(
    _ limit: Duration, _ failure: Failure, _ answer: FirstAnswer<Value, Failure>,
    _ giveUp: @escaping @Sendable (Failure) -> Void,
    _ work: @Sendable (_ isWanted: () -> Bool) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let call = deadlines.add(limit, failure) { [rescues] error in
      giveUp(error)
      rescues.give(error)
    }
    return try await withTaskCancellationHandler {
      if answer.isOpen {
        deadlines.begin(call)
        answer.give(Result { () throws(Failure) in try work { answer.isOpen } })
      }
      deadlines.remove(call)
      return await withCheckedContinuation { answer.wait($0) }
    } onCancel: {
      giveUp(cancelled)
    }.get()
  }

  /// Runs `work` after all that was given to the thread before, also in a cancelled task and also when that takes longer
  /// than `limit`, after which it is waited for no longer.
  package func finish(within limit: Duration, _ work: @escaping @Sendable () -> Void) async {
    let answer = FirstAnswer<Void, Failure>()
    _ = await withCheckedContinuation { continuation in
      answer.wait(continuation)
      let call = deadlines.add(limit, cancelled) { answer.give(.failure($0)) }
      queue.async { [deadlines] in
        work()
        deadlines.remove(call)
        answer.give(.success(()))
      }
    }
  }

  /// Runs `work` on the thread after `delay`, and waits for nothing.
  package func later(_ delay: Duration, _ work: @escaping @Sendable () -> Void) {
    queue.asyncAfter(deadline: .now() + delay.dispatchInterval, execute: work)
  }
}

extension BlockingThread: TaskExecutor {
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// Those who wait for work on a thread, and have to be told when it is stuck.
private final class Rescues<Failure: Error>: Sendable {
  private let state = Mutex<(count: Int, waiting: [Int: @Sendable (Failure) -> Void])>((0, [:]))

  func add(_ rescue: @escaping @Sendable (Failure) -> Void) -> Int {
    state.withLock { state in
      state.count += 1
      state.waiting[state.count] = rescue
      return state.count
    }
  }

  func remove(_ number: Int) { state.withLock { $0.waiting[number] = nil } }

  func give(_ error: Failure) {
    for rescue in state.withLock({ $0.waiting.values.map(\.self) }) { rescue(error) }
  }
}

/// The first answer counts: the work's, the deadline's or the cancellation's.
private final class FirstAnswer<Value: Sendable, Failure: Error>: Sendable {
  private let state = Mutex<State>(.unasked)

  private enum State {
    case unasked
    case waiting(CheckedContinuation<Result<Value, Failure>, Never>)
    case given(Result<Value, Failure>)
  }

  var isOpen: Bool {
    state.withLock { if case .given = $0 { false } else { true } }
  }

  func wait(_ continuation: CheckedContinuation<Result<Value, Failure>, Never>) {
    let early: Result<Value, Failure>? = state.withLock { state in
      if case .given(let result) = state { return result }
      state = .waiting(continuation)
      return nil
    }
    if let early { continuation.resume(returning: early) }
  }

  /// True if this was the first.
  @discardableResult func give(_ result: Result<Value, Failure>) -> Bool {
    var isFirst = false
    let waiting: CheckedContinuation<Result<Value, Failure>, Never>? = state.withLock { state in
      defer { if case .given = state {} else { state = .given(result) } }
      switch state {
      case .unasked:
        isFirst = true
        return nil
      case .waiting(let continuation):
        isFirst = true
        return continuation
      case .given: return nil
      }
    }
    waiting?.resume(returning: result)
    return isFirst
  }
}

/// The calls of one thread that are not over. One timer serves them all: a quick series of exchanges sets it once.
private final class Deadlines<Failure: Error>: Sendable {
  private struct Call {
    let end: ContinuousClock.Instant
    let failure: Failure
    let giveUp: @Sendable (Failure) -> Void
    var hasBegun = false
  }

  private struct State {
    var calls: [UInt64: Call] = [:]
    var count: UInt64 = 0
    /// When the timer goes off; nil while there is none.
    var look: ContinuousClock.Instant?
    var overdue: Failure?
  }

  private let state = Mutex(State())

  /// What the call threw that holds the thread beyond its deadline.
  var overdue: Failure? { state.withLock { $0.overdue } }

  func add(
    _ limit: Duration, _ failure: Failure, _ giveUp: @escaping @Sendable (Failure) -> Void
  ) -> UInt64 {
    let end = ContinuousClock.now + limit
    return state.withLock { state in
      state.count += 1
      state.calls[state.count] = Call(end: end, failure: failure, giveUp: giveUp)
      if state.look.map({ end < $0 }) ?? true { setTimer(&state, end) }
      return state.count
    }
  }

  func begin(_ call: UInt64) {
    state.withLock { $0.calls[call]?.hasBegun = true }
  }

  /// The thread is free again.
  func remove(_ call: UInt64) {
    state.withLock {
      $0.calls[call] = nil
      $0.overdue = nil
    }
  }

  private func setTimer(_ state: inout State, _ end: ContinuousClock.Instant) {
    state.look = end
    DispatchQueue.global().asyncAfter(deadline: .now() + (end - .now).dispatchInterval) { [weak self] in
      self?.look(end)
    }
  }

  private func look(_ time: ContinuousClock.Instant) {
    let expired = state.withLock { state -> [Call] in
      // An earlier timer took this one's place.
      guard state.look == time else { return [] }
      state.look = nil
      let now = ContinuousClock.now
      var expired: [Call] = []
      for (number, call) in state.calls where call.end <= now {
        expired.append(call)
        if call.hasBegun { state.overdue = call.failure } else { state.calls[number] = nil }
      }
      let next = state.calls.values.lazy.filter { $0.end > now }.map(\.end).min()
      if let next { setTimer(&state, next) }
      return expired
    }
    for call in expired { call.giveUp(call.failure) }
  }
}

extension Duration {
  /// Whole nanoseconds, rounded up; a day at most, so that nothing overflows.
  fileprivate var dispatchInterval: DispatchTimeInterval {
    let (seconds, attoseconds) = max(.zero, min(self, .seconds(86_400))).components
    return .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000) + 1)
  }
}
