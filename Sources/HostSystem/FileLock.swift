// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A lock between processes: it is held as long as this object lives, and the operating system releases it when the
/// process ends, even after a crash.
package final class FileLock: Sendable {
  private let descriptor: Int32

  /// Opens the lock file, which is created if it is missing and is never deleted. Nothing is locked yet.
  package init(_ path: String) throws(OutputError) {
    descriptor = open(path.fileName, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .refused(path: path, number: errno) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Takes the lock; false if another process has it.
  package func take() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }
}
