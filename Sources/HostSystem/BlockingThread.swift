// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization

// Identifies the thread that runs a queue's work; outside the class, since a generic type has no static storage.
private let threadKey = DispatchSpecificKey<ObjectIdentifier>()

/// A thread on which C calls may block, so that the cooperative pool never waits for hardware, a network or a disk.
///
/// Each call from elsewhere changes threads twice, which for a read of 17 exchanges takes about as long as the
/// exchanges with pcscd themselves (run: `make bench`). `run` moves the whole read onto the thread instead.
///
/// A call that does not return within its deadline is abandoned, and its caller gets the error. With
/// `refusesWhileStuck`, every later caller gets the same error at once, until the C library has returned.
package final class BlockingThread<Failure: Error>: Sendable {
  private let queue: DispatchQueue
  private let cancelled: Failure
  private let refusesWhileStuck: Bool
  private let deadlines = Deadlines<Failure>()
  /// The callers of `run` that wait, and get an error when a call is stuck.
  private let rescues = Mutex<[ObjectIdentifier: @Sendable (Failure) -> Void]>([:])

  /// `cancelled` is the error that a call throws when its task is cancelled.
  package init(_ label: String, cancelled: Failure, refusesWhileStuck: Bool) {
    queue = DispatchQueue(label: label)
    self.cancelled = cancelled
    self.refusesWhileStuck = refusesWhileStuck
    queue.setSpecific(key: threadKey, value: ObjectIdentifier(self))
  }

  /// Runs `work` on the thread, where its calls of `perform` need no change of thread.
  ///
  /// If a call exceeds its deadline, `work` is abandoned, and the result is what `rescue` returns for its failure.
  package func run<Value: Sendable>(
    _ work: @escaping @Sendable () async -> Value, rescue: @escaping @Sendable (Failure) -> Value
  ) async -> Value {
    let answer = FirstAnswer<Value, Failure>()
    let key = ObjectIdentifier(answer)
    rescues.withLock { $0[key] = { answer.give(.success(rescue($0))) } }
    defer { rescues.withLock { $0[key] = nil } }
    let task = Task(executorPreference: self) { answer.give(.success(await work())) }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { answer.wait($0) }
    } onCancel: {
      task.cancel()
    }
    do throws(Failure) { return try result.get() } catch { return rescue(error) }
  }

  /// Runs `work` on the thread, after all work queued before.
  ///
  /// - Throws: what `work` throws; `failure` if it is not done within `limit`, counted from this call; `cancelled` if
  ///   the task is cancelled first. In the last two cases `isWanted` becomes false for `work`, and `interrupt` is
  ///   called, on some thread, to make the C call return.
  package func perform<Value: Sendable>(
    within limit: Duration, orThrow failure: Failure, interrupt: @escaping @Sendable () -> Void = {},
    _ work: @escaping @Sendable (_ isWanted: () -> Bool) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    if refusesWhileStuck, let overdue = deadlines.overdue { throw overdue }
    let answer = FirstAnswer<Value, Failure>()
    let giveUp: @Sendable (Failure) -> Void = { error in
      // On another thread, because an interruption may itself have to wait for a service that hangs.
      if answer.give(.failure(error)) { DispatchQueue.global().async(execute: interrupt) }
    }
    let isHere = DispatchQueue.getSpecific(key: threadKey) == ObjectIdentifier(self)
    return try await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        answer.wait(continuation)
        let call = deadlines.add(limit, failure) { [self] error in
          giveUp(error)
          if isHere { for rescue in rescues.withLock({ Array($0.values) }) { rescue(error) } }
        }
        let run: @Sendable () -> Void = { [deadlines] in
          guard answer.isOpen else { return deadlines.remove(call) }
          deadlines.begin(call)
          let result = Result { () throws(Failure) in try work { answer.isOpen } }
          deadlines.remove(call)
          answer.give(result)
        }
        if isHere { run() } else { queue.async(execute: run) }
      }
    } onCancel: {
      giveUp(cancelled)
    }.get()
  }

  /// Runs work that does not check `isWanted`.
  package func perform<Value: Sendable>(
    within limit: Duration, orThrow failure: Failure, interrupt: @escaping @Sendable () -> Void = {},
    _ work: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try await perform(within: limit, orThrow: failure, interrupt: interrupt) { _ throws(Failure) in try work() }
  }

  /// Runs `work` after all work queued before, also in a cancelled task. After `limit` the caller no longer waits.
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

  /// Does not wait for `work`.
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

/// The first of three possible answers: the result of the work, the deadline, the cancellation.
private final class FirstAnswer<Value: Sendable, Failure: Error>: Sendable {
  private let state = Mutex<State>(.unasked)

  private enum State {
    case unasked
    case waiting(CheckedContinuation<Result<Value, Failure>, Never>)
    case given(Result<Value, Failure>)
  }

  var isOpen: Bool { state.withLock { if case .given = $0 { false } else { true } } }

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
    let before = state.withLock { state in
      let before = state
      if case .given = state {} else { state = .given(result) }
      return before
    }
    switch before {
    case .unasked: return true
    case .waiting(let continuation):
      continuation.resume(returning: result)
      return true
    case .given: return false
    }
  }
}

/// The unfinished calls of one thread. One timer serves them all, so that a quick series of exchanges sets it once.
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
    /// The time at which the timer fires; nil while it is not set.
    var timerTime: ContinuousClock.Instant?
    var overdue: Failure?
  }

  private let state = Mutex(State())

  /// The error of the call that blocks the thread beyond its deadline.
  var overdue: Failure? { state.withLock { $0.overdue } }

  func add(_ limit: Duration, _ failure: Failure, _ giveUp: @escaping @Sendable (Failure) -> Void) -> UInt64 {
    let end = ContinuousClock.now + limit
    return state.withLock { state in
      state.count += 1
      state.calls[state.count] = Call(end: end, failure: failure, giveUp: giveUp)
      if state.timerTime.map({ end < $0 }) ?? true { setTimer(&state, end) }
      return state.count
    }
  }

  func begin(_ call: UInt64) { state.withLock { $0.calls[call]?.hasBegun = true } }

  /// Removes a call that has returned: the thread is free again.
  func remove(_ call: UInt64) {
    state.withLock {
      $0.calls[call] = nil
      $0.overdue = nil
    }
  }

  private func setTimer(_ state: inout State, _ end: ContinuousClock.Instant) {
    state.timerTime = end
    DispatchQueue.global().asyncAfter(deadline: .now() + (end - .now).dispatchInterval) { [weak self] in
      self?.timerFired(end)
    }
  }

  private func timerFired(_ time: ContinuousClock.Instant) {
    let expired = state.withLock { state -> [Call] in
      // An earlier timer has replaced this one.
      guard state.timerTime == time else { return [] }
      state.timerTime = nil
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
  /// The duration in whole nanoseconds, rounded up; at most a day, so that it cannot overflow.
  fileprivate var dispatchInterval: DispatchTimeInterval {
    let (seconds, attoseconds) = max(.zero, min(self, .seconds(86_400))).components
    return .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000) + 1)
  }
}
