// SPDX-License-Identifier: Apache-2.0
import Dispatch
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
