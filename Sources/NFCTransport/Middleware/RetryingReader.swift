// SPDX-License-Identifier: Apache-2.0

/// A reader that asks again, at once, where its policy sees a chance.
public struct RetryingReader: ReaderMiddleware {
  public let reader: any TagReader
  private let policy: RetryPolicy

  public init(_ reader: any TagReader, policy: RetryPolicy) {
    self.reader = reader
    self.policy = policy
  }

  /// The first answer that the policy takes, or what the last attempt brought.
  public func exchange(_ request: ISO15693.Request) async throws(TransportError) -> [UInt8] {
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
