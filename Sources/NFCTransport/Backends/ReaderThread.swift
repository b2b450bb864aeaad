// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization

/// A thread of a reader's own, on which C calls may block: the cooperative pool never waits for hardware.
///
/// Each call from elsewhere changes threads twice, which for a read of 17 exchanges costs about as much as the exchanges
/// with pcscd themselves (run: `make bench`). `run` brings the whole read onto the thread instead.
///
/// A call that does not come back within its deadline is given up: its caller gets the error, and so does at once every
/// later caller, until the thread has come back from the C library after all.
final class ReaderThread: Sendable {
  private let queue: DispatchQueue
  private let deadlines = Deadlines()

  private let rescues = Rescues()
  private static let key = DispatchSpecificKey<ObjectIdentifier>()

  init(_ name: String) {
    queue = DispatchQueue(label: "libre.reader.\(name)")
    queue.setSpecific(key: Self.key, value: ObjectIdentifier(self))
  }

  /// Does `work` on the thread, where its calls of `perform` wait for nothing but the C library.
  ///
  /// If a call outlasts its deadline, `work` is left behind in it, and the result is what `rescue` makes of the call's
  /// failure.
  func run<Value: Sendable>(
    _ work: @escaping @Sendable () async -> Value, rescue: @escaping @Sendable (TransportError) -> Value
  ) async -> Value {
    let answer = Answer<Value>()
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
  /// cancelled first. In both cases `interrupt` is called, on some thread, to bring the C call back.
  func perform<Value: Sendable>(
    within limit: Duration, orThrow failure: TransportError, interrupt: @escaping @Sendable () -> Void = {},
    _ work: @escaping @Sendable () throws(TransportError) -> Value
  ) async throws(TransportError) -> Value {
    if let overdue = deadlines.overdue { throw overdue }
    let answer = Answer<Value>()
    let giveUp: @Sendable (TransportError) -> Void = { error in
      // Elsewhere, because an interruption may itself have to wait for a service that hangs.
      if answer.give(.failure(error)) { DispatchQueue.global().async(execute: interrupt) }
    }
    if DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self) {
      return try await performHere(limit, failure, answer, giveUp, work)
    }
    return try await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        answer.wait(continuation)
        let call = deadlines.add(limit, failure, giveUp)
        queue.async { [deadlines] in
          guard answer.isOpen else { return deadlines.remove(call) }
          deadlines.begin(call)
          let result = Result { () throws(TransportError) in try work() }
          deadlines.remove(call)
          answer.give(result)
        }
      }
    } onCancel: {
      giveUp(.cancelled)
    }.get()
  }

  /// Runs `work` on this thread, which is the reader's own already.
  private func performHere<Value: Sendable>(
    _ limit: Duration, _ failure: TransportError, _ answer: Answer<Value>,
    _ giveUp: @escaping @Sendable (TransportError) -> Void,
    _ work: @Sendable () throws(TransportError) -> Value
  ) async throws(TransportError) -> Value {
    let call = deadlines.add(limit, failure) { [rescues] error in
      giveUp(error)
      rescues.give(error)
    }
    return try await withTaskCancellationHandler {
      if answer.isOpen {
        deadlines.begin(call)
        answer.give(Result { () throws(TransportError) in try work() })
      }
      deadlines.remove(call)
      return await withCheckedContinuation { answer.wait($0) }
    } onCancel: {
      giveUp(.cancelled)
    }.get()
  }

  /// Runs `work` after all that was given to the thread before, also in a cancelled task and also when that takes longer
  /// than `limit`, after which it is waited for no longer.
  func finish(within limit: Duration, _ work: @escaping @Sendable () -> Void) async {
    let answer = Answer<Void>()
    _ = await withCheckedContinuation { continuation in
      answer.wait(continuation)
      let call = deadlines.add(limit, .cancelled) { answer.give(.failure($0)) }
      queue.async { [deadlines] in
        work()
        deadlines.remove(call)
        answer.give(.success(()))
      }
    }
  }
}

extension ReaderThread: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// Those who wait for work on a thread, and have to be told when it is stuck.
private final class Rescues: Sendable {
  private let state = Mutex<(count: Int, waiting: [Int: @Sendable (TransportError) -> Void])>((0, [:]))

  func add(_ rescue: @escaping @Sendable (TransportError) -> Void) -> Int {
    state.withLock { state in
      state.count += 1
      state.waiting[state.count] = rescue
      return state.count
    }
  }

  func remove(_ number: Int) { state.withLock { $0.waiting[number] = nil } }

  func give(_ error: TransportError) {
    for rescue in state.withLock({ $0.waiting.values.map(\.self) }) { rescue(error) }
  }
}

/// The first answer counts: the work's, the deadline's or the cancellation's.
private final class Answer<Value: Sendable>: Sendable {
  private let state = Mutex<State>(.unasked)

  private enum State {
    case unasked
    case waiting(CheckedContinuation<Result<Value, TransportError>, Never>)
    case given(Result<Value, TransportError>)
  }

  var isOpen: Bool {
    state.withLock { if case .given = $0 { false } else { true } }
  }

  func wait(_ continuation: CheckedContinuation<Result<Value, TransportError>, Never>) {
    let early: Result<Value, TransportError>? = state.withLock { state in
      if case .given(let result) = state { return result }
      state = .waiting(continuation)
      return nil
    }
    if let early { continuation.resume(returning: early) }
  }

  /// True if this was the first.
  @discardableResult func give(_ result: Result<Value, TransportError>) -> Bool {
    var isFirst = false
    let waiting: CheckedContinuation<Result<Value, TransportError>, Never>? = state.withLock { state in
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
private final class Deadlines: Sendable {
  private struct Call {
    let end: ContinuousClock.Instant
    let failure: TransportError
    let giveUp: @Sendable (TransportError) -> Void
    var hasBegun = false
  }

  private struct State {
    var calls: [UInt64: Call] = [:]
    var count: UInt64 = 0
    /// When the timer goes off; nil while there is none.
    var look: ContinuousClock.Instant?
    var overdue: TransportError?
  }

  private let state = Mutex(State())

  /// What the call threw that holds the thread beyond its deadline.
  var overdue: TransportError? { state.withLock { $0.overdue } }

  func add(
    _ limit: Duration, _ failure: TransportError, _ giveUp: @escaping @Sendable (TransportError) -> Void
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
