// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

package enum BrokenPipe {
  /// Runs `work` without SIGPIPE, which would end the process if the other side has closed a connection. It is sent to
  /// the writing thread, so it is enough to block it there and to discard it afterwards.
  package static func harmless<Value, Failure: Error>(_ work: () throws(Failure) -> Value) throws(Failure) -> Value {
    var signal = sigset_t()
    sigemptyset(&signal)
    sigaddset(&signal, SIGPIPE)
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, &signal, &before)
    defer {
      if sigismember(&before, SIGPIPE) == 0 {
        var none = timespec()
        while sigtimedwait(&signal, nil, &none) == SIGPIPE {}
      }
      pthread_sigmask(SIG_SETMASK, &before, nil)
    }
    return try work()
  }
}
