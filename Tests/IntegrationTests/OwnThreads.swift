// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Testing

/// Threads that no other test can occupy.
///
/// Tests that run a command block the few threads of the common pool while it runs. An emulator that has to wait for one of
/// those answers too late, as no reader would.
final class OwnThreads: TaskExecutor {
  static let shared = OwnThreads()

  private let queue = DispatchQueue(label: "integration", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// Runs each test, and all that it awaits, on `OwnThreads`.
struct OnOwnThreads: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(OwnThreads.shared) { try await body() }
  }
}

extension Trait where Self == OnOwnThreads {
  static var onOwnThreads: Self { OnOwnThreads() }
}
