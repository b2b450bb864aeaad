// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization

/// Runs what is asynchronous on the thread that asks for it, one step after the other: the order is the same at each
/// run, and no pool of threads can run dry.
final class CallingThread: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])
  private let isDue = DispatchSemaphore(value: 0)

  private init() {}

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    isDue.signal()
  }

  /// What `work` returns; nothing of it is under way afterwards but what it left behind.
  static func run<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
    let thread = CallingThread()
    let outcome = Outcome<Value>()
    Task(executorPreference: thread) {
      do { outcome.set(.success(try await work())) } catch { outcome.set(.failure(error)) }
    }
    while true {
      if let result = outcome.result { return try result.get() }
      thread.isDue.wait()
      let job = thread.jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      job?.runSynchronously(on: thread.asUnownedTaskExecutor())
    }
  }

  private final class Outcome<Value: Sendable>: Sendable {
    private let value = Mutex<Result<Value, any Error>?>(nil)

    var result: Result<Value, any Error>? { value.withLock { $0 } }

    func set(_ result: Result<Value, any Error>) { value.withLock { $0 = result } }
  }
}
