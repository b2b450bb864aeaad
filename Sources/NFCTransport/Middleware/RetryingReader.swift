// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// A reader that asks again, at once, where its policy sees a chance.
public struct RetryingReader: TagReader {
  private let reader: any TagReader
  private let policy: RetryPolicy

  public init(_ reader: any TagReader, policy: RetryPolicy) {
    self.reader = reader
    self.policy = policy
  }

  public var description: ReaderDescription { get async { await reader.description } }
  public var recording: Recording? { get async { await reader.recording } }

  public func run<Value: Sendable>(
    _ work: @escaping @Sendable () async -> Value, rescue: @escaping @Sendable (TransportError) -> Value
  ) async -> Value {
    await reader.run(work, rescue: rescue)
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

  public func waitForTag(within limit: Duration) async throws(TransportError) {
    try await reader.waitForTag(within: limit)
  }

  public func waitForRemoval() async throws(TransportError) { try await reader.waitForRemoval() }

  public func close() async { await reader.close() }
}
