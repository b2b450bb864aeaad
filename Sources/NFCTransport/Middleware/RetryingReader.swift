// SPDX-License-Identifier: Apache-2.0

/// A reader that repeats a request at once if its policy allows it.
package struct RetryingReader: ReaderMiddleware {
  package let reader: any TagReader
  private let policy: RetryPolicy

  package init(_ reader: any TagReader, policy: RetryPolicy) {
    self.reader = reader
    self.policy = policy
  }

  /// Returns the first answer that the policy accepts, or the result of the last attempt.
  package func exchange(_ request: ISO15693.Request) async throws(TransportError) -> [UInt8] {
    for _ in 1..<policy.attempts {
      do throws(TransportError) {
        let answer = try await reader.exchange(request)
        if !policy.isTransient(answer, to: request) { return answer }
      } catch {
        guard policy.isTransient(error) else { throw error }
      }
    }
    return try await reader.exchange(request)
  }
}
