// SPDX-License-Identifier: Apache-2.0
import Dispatch

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
