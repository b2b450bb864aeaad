// SPDX-License-Identifier: Apache-2.0
import Dispatch

/// Threads that no other test can occupy.
///
/// Tests that run a command block the few threads of the common pool while it runs. An emulator that has to wait for one of
/// those answers too late, as no reader would.
public final class OwnThreads: TaskExecutor {
  public static let shared = OwnThreads()

  private let queue = DispatchQueue(label: "integration", attributes: .concurrent)

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
