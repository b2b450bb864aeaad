// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Runs code that blocks on a thread of its own, so that no thread of the common pool waits for it.
package func blocking<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
  }
}
