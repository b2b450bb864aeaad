// SPDX-License-Identifier: Apache-2.0
import HostSystem
public import LibreKit

/// That nobody else sends from a store at the same time: receivers without a key of their own would get samples twice.
///
/// It is a lock on the file `STORE-sync`.
public final class SyncLock {
  private let lock: FileLock

  private init(_ lock: FileLock) { self.lock = lock }

  /// Takes the lock; nil if another process keeps it for longer than it is waited for, or the task is cancelled.
  ///
  /// Throws `output` where the file cannot be made.
  public static func take(of store: String, patienceSeconds: Double) async throws(LibreError) -> SyncLock? {
    // Whatever links lead to it, it is one store.
    let lock = try Files.writing { () throws(OutputError) in try FileLock("\(FileSystem.resolved(store))-sync") }
    var waited = 0.0
    while !lock.take() {
      guard waited < patienceSeconds, (try? await Task.sleep(for: .seconds(step))) != nil else { return nil }
      waited += step
    }
    return SyncLock(lock)
  }

  private static let step = 0.1
}
