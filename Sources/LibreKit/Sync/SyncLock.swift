// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// That nobody else sends from a store at the same time: receivers without a key of their own would get samples twice.
///
/// It is a lock on the file `STORE-sync`, which the operating system gives up when the process ends, however it ends.
public final class SyncLock {
  private let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Takes the lock; nil if somebody else has it for longer than it is waited for, or the task is cancelled.
  ///
  /// Throws `output` where the file cannot be made.
  public static func take(of store: String, patienceSeconds: Double) async throws(LibreError) -> SyncLock? {
    // Whatever links lead to it, it is one store.
    let path = "\(FileBytes.resolved(store))-sync"
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .output(.refused(path: path, number: errno)) }
    let lock = SyncLock(descriptor)
    var waited = 0.0
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard waited < patienceSeconds, (try? await Task.sleep(for: .seconds(step))) != nil else { return nil }
      waited += step
    }
    return lock
  }

  private static let step = 0.1
}
