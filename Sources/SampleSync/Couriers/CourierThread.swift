// SPDX-License-Identifier: Apache-2.0
import HostSystem

/// A courier's own thread. Calls are queued while one is stuck in the C library.
struct CourierThread: Sendable {
  private let thread: BlockingThread<Verdict>

  init(_ name: String) {
    thread = BlockingThread(
      "libre.courier.\(name)", cancelled: .unavailable(reason: "cancelled"), refusesWhileStuck: false)
  }

  /// Runs `work` after all earlier work. A call that does not return blocks the thread, but not the caller.
  /// - Throws: `unavailable` after `timeout`, counted from this call, or if the task is cancelled: then `isWanted`
  /// returns false to `work`, and `wake` is called on any thread. `place` names the server in the error.
  func perform<Value: Sendable>(
    within timeout: Duration, at place: String? = nil, wake: @escaping @Sendable () -> Void = {},
    _ work: @escaping @Sendable (_ isWanted: () -> Bool) throws(Verdict) -> Value
  ) async throws(Verdict) -> Value {
    let words = "no answer within \(timeout.components.seconds) s"
    let failure = Verdict.unavailable(reason: place.map { "\($0): \(words)" } ?? words)
    return try await thread.perform(within: timeout, orThrow: failure, interrupt: wake) {
      isWanted throws(Verdict) in
      try BrokenPipe.harmless { () throws(Verdict) in try work(isWanted) }
    }
  }

  /// Runs `work` on the thread, also in a cancelled task, and waits for at most `timeout`.
  func finish(within timeout: Duration, _ work: @escaping @Sendable () -> Void) async {
    await thread.finish(within: timeout) { BrokenPipe.harmless(work) }
  }

  func later(_ delay: Duration, _ work: @escaping @Sendable () -> Void) {
    thread.later(delay) { BrokenPipe.harmless(work) }
  }
}
