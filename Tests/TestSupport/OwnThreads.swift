// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
package import Testing

/// Threads that no other test can occupy.
///
/// Tests that run a command block the few threads of the common pool while it runs. An emulator that had to wait for one
/// of those would answer later than a real reader does.
package final class OwnThreads: TaskExecutor {
  package static let shared = OwnThreads()

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // A serial queue gets a thread of its own at once; the jobs of a concurrent one share as many threads as there are
    // cores, and wait while these block.
    DispatchQueue(label: "integration").async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// Runs each test, and all that it awaits, on `OwnThreads`.
package struct OnOwnThreads: SuiteTrait, TestTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(OwnThreads.shared) { try await body() }
  }
}

extension Trait where Self == OnOwnThreads {
  package static var onOwnThreads: Self { OnOwnThreads() }
}

/// A thread of one emulator's own. It answers at once, however many tests keep the threads of all pools busy.
package final class EmulatorThread: TaskExecutor {
  /// A serial queue gets a new thread when all others are busy; a concurrent queue has to wait for a free one.
  private let queue: DispatchQueue

  package init(_ name: String) { queue = DispatchQueue(label: "emulator.\(name)") }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// Runs code that blocks on a thread of its own, so that no thread of the common pool waits for it.
package func blocking<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
  }
}
