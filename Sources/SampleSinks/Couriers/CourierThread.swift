// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A thread of a courier's own, on which C calls may block: the cooperative pool never waits for a network or a disk.
final class CourierThread: Sendable {
  private let queue: DispatchQueue

  init(_ name: String) { queue = DispatchQueue(label: "libre.courier.\(name)") }

  /// Runs `work` on the thread, after all that was given to it before.
  ///
  /// Throws what it throws; `unavailable` if it is not done within `limit`, counted from this call, or if the task is
  /// cancelled first. `isWanted` then says so to `work`, and `wake` is called, on some thread, to bring a waiting C
  /// call back. One that does not come back keeps the thread, but not the caller.
  func perform<Value: Sendable>(
    within limit: Duration, wake: @escaping @Sendable () -> Void = {},
    _ work: @escaping @Sendable (_ isWanted: () -> Bool) throws(DeliveryError) -> Value
  ) async throws(DeliveryError) -> Value {
    let answer = FirstAnswer<Value>()
    let giveUp: @Sendable (String) -> Void = { reason in
      if answer.give(.failure(.unavailable(reason: reason))) { wake() }
    }
    // Not `asyncAfter`, which would hold what is given up with here until the time comes.
    let timer = DispatchSource.makeTimerSource(queue: .global())
    timer.setEventHandler { giveUp("no answer within \(limit.components.seconds) s") }
    timer.schedule(deadline: .now() + .seconds(Int(limit.components.seconds)))
    timer.resume()
    defer { timer.cancel() }
    return try await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        answer.wait(continuation)
        queue.async {
          guard answer.isOpen else { return }
          answer.give(
            Result { () throws(DeliveryError) in
              try BrokenPipe.harmless { () throws(DeliveryError) in
                try work { answer.isOpen }
              }
            })
        }
      }
    } onCancel: {
      giveUp("cancelled")
    }.get()
  }

  /// Runs `work` on the thread like `perform`, also in a cancelled task.
  func finish(within limit: Duration, _ work: @escaping @Sendable () -> Void) async {
    // A task of its own is not cancelled with the one that waits for it.
    _ = await Task { try await perform(within: limit) { _ throws(DeliveryError) in work() } }.result
  }

  /// Runs `work` on the thread after `delay`, and waits for nothing.
  func later(_ delay: Duration, _ work: @escaping @Sendable () -> Void) {
    queue.asyncAfter(deadline: .now() + .milliseconds(Int(delay / .milliseconds(1)))) { BrokenPipe.harmless(work) }
  }
}

/// A C library may write to a connection that the other side has closed; the signal for that would end the process.
private enum BrokenPipe {
  /// The signal goes to the thread that writes, so that it is enough to hold it back there, and to forget it
  /// afterwards.
  static func harmless<Value, Failure: Error>(_ work: () throws(Failure) -> Value) throws(Failure) -> Value {
    var signal = sigset_t()
    sigemptyset(&signal)
    sigaddset(&signal, SIGPIPE)
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, &signal, &before)
    defer {
      if sigismember(&before, SIGPIPE) == 0 {
        var none = timespec()
        while sigtimedwait(&signal, nil, &none) == SIGPIPE {}
      }
      pthread_sigmask(SIG_SETMASK, &before, nil)
    }
    return try work()
  }
}

/// The first answer counts: the work's, the deadline's or the cancellation's.
private final class FirstAnswer<Value: Sendable>: Sendable {
  private enum State {
    case unasked
    case waiting(CheckedContinuation<Result<Value, DeliveryError>, Never>)
    case given(Result<Value, DeliveryError>)
  }

  private let state = Mutex<State>(.unasked)

  var isOpen: Bool {
    state.withLock { if case .given = $0 { false } else { true } }
  }

  func wait(_ continuation: CheckedContinuation<Result<Value, DeliveryError>, Never>) {
    let early: Result<Value, DeliveryError>? = state.withLock { state in
      if case .given(let result) = state { return result }
      state = .waiting(continuation)
      return nil
    }
    if let early { continuation.resume(returning: early) }
  }

  /// True if this was the first.
  @discardableResult func give(_ result: Result<Value, DeliveryError>) -> Bool {
    var isFirst = false
    let waiting: CheckedContinuation<Result<Value, DeliveryError>, Never>? = state.withLock { state in
      switch state {
      case .given: return nil
      case .unasked:
        isFirst = true
        state = .given(result)
        return nil
      case .waiting(let continuation):
        isFirst = true
        state = .given(result)
        return continuation
      }
    }
    waiting?.resume(returning: result)
    return isFirst
  }
}
