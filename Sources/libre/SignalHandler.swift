// SPDX-License-Identifier: Apache-2.0
import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Turns Ctrl-C and other signals into cancellation of a task, so that a reader's field is switched off before the
/// program ends.
enum SignalHandler {
  /// Exit status after an interruption (LibreDocuments/Contract, "Exit status").
  static let exitStatus: Int32 = 130

  /// Does the work and cancels it at the first signal; a second one ends the program at once.
  static func cancelling<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let task = Task { try await work() }
    let sources = [SIGINT, SIGTERM, SIGHUP].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        if task.isCancelled { _exit(exitStatus) }
        task.cancel()
      }
      source.resume()
      return source
    }
    defer { for source in sources { source.cancel() } }
    return try await task.value
  }
}
