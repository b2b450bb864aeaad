// SPDX-License-Identifier: Apache-2.0
import HostSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A thread of a courier's own. Later calls wait for their turn while one is stuck in the C library.
struct CourierThread: Sendable {
  private let thread: BlockingThread<DeliveryError>

  init(_ name: String) {
    thread = BlockingThread(
      "libre.courier.\(name)", cancelled: .unavailable(reason: "cancelled"), refusesWhileStuck: false)
  }

  /// Runs `work` on the thread, after all that was given to it before.
  ///
  /// Throws what it throws; `unavailable` if it is not done within `limit`, counted from this call, or if the task is
  /// cancelled first. `isWanted` then says so to `work`, and `wake` is called, on some thread, to bring a waiting C
  /// call back. One that does not come back keeps the thread, but not the caller.
  func perform<Value: Sendable>(
    within limit: Duration, wake: @escaping @Sendable () -> Void = {},
    _ work: @escaping @Sendable (_ isWanted: () -> Bool) throws(DeliveryError) -> Value
  ) async throws(DeliveryError) -> Value {
    let failure = DeliveryError.unavailable(reason: "no answer within \(limit.components.seconds) s")
    return try await thread.perform(within: limit, orThrow: failure, interrupt: wake) {
      isWanted throws(DeliveryError) in
      try BrokenPipe.harmless { () throws(DeliveryError) in try work(isWanted) }
    }
  }

  /// Runs `work` on the thread, also in a cancelled task, and waits for it no longer than `limit`.
  func finish(within limit: Duration, _ work: @escaping @Sendable () -> Void) async {
    await thread.finish(within: limit) { BrokenPipe.harmless(work) }
  }

  /// Runs `work` on the thread after `delay`, and waits for nothing.
  func later(_ delay: Duration, _ work: @escaping @Sendable () -> Void) {
    thread.later(delay) { BrokenPipe.harmless(work) }
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
