// SPDX-License-Identifier: Apache-2.0
import HostSystem
package import LibreKit

/// Lock that prevents two processes from sending from one store: receivers without unique keys would get samples twice.
///
/// It locks the file `STORE-sync`.
package final class SyncLock {
  private let lock: FileLock

  private init(_ lock: FileLock) { self.lock = lock }

  /// Takes the lock; nil if another process holds it for longer than the timeout, or the task is cancelled.
  ///
  /// - Throws: `output` if the file cannot be created.
  package static func take(of store: String, timeoutSeconds: Double) async throws(LibreError) -> SyncLock? {
    // Resolve links: different paths may lead to the same store.
    let lock = try Files.writing { () throws(OutputError) in try FileLock("\(FileSystem.resolved(store))-sync") }
    var waited = 0.0
    while !lock.take() {
      guard waited < timeoutSeconds, (try? await Task.sleep(for: .seconds(step))) != nil else { return nil }
      waited += step
    }
    return SyncLock(lock)
  }

  private static let step = 0.1
}
