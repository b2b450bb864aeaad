// SPDX-License-Identifier: Apache-2.0
import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Ctrl-C and the like, as the cancellation of a task: a reader's field is switched off before the program ends.
enum Interruption {
  /// Exit status after an interruption (CONTRACT 2).
  static let exitStatus: Int32 = 130

  /// Does the work and cancels it at the first signal; a second one ends the program at once.
  static func cancels<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value {
    let task = Task { await work() }
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
    return await task.value
  }
}
