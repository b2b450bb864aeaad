// SPDX-License-Identifier: Apache-2.0
import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Turns signals into cancellation, so that a reader's field is switched off before the program ends.
package enum SignalHandler {
  /// Exit status after an interruption (LibreDocuments/Contract, "Exit status").
  package static let exitStatus: Int32 = 130

  /// Does the work and cancels it at the first signal; a second one ends the program at once.
  package static func cancelling<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let (starts, start) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      for await _ in starts { break }
      return try await work()
    }
    let registered = DispatchGroup()
    let sources = [SIGINT, SIGTERM, SIGHUP].map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        if task.isCancelled { _exit(exitStatus) }
        task.cancel()
      }
      registered.enter()
      source.setRegistrationHandler { registered.leave() }
      source.resume()
      return source
    }
    // A signal is taken by the source only once another thread has registered it. Until then it ends the program, which
    // has nothing open yet.
    registered.notify(queue: .global()) { start.finish() }
    defer { for source in sources { source.cancel() } }
    return try await task.value
  }
}
