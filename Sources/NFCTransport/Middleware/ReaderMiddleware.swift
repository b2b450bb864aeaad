// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// A reader around a reader; it forwards every call that it does not change.
public protocol ReaderMiddleware: TagReader {
  /// The inner reader.
  nonisolated var reader: any TagReader { get }
}

extension ReaderMiddleware {
  public var description: ReaderDescription { get async { await reader.description } }

  public var recording: Recording? { get async { await reader.recording } }

  public func waitForTag(within timeout: Duration) async throws(TransportError) {
    try await reader.waitForTag(within: timeout)
  }

  public func run<Value: Sendable>(
    _ work: @escaping @Sendable () async -> Value, rescue: @escaping @Sendable (TransportError) -> Value
  ) async -> Value {
    await reader.run(work, rescue: rescue)
  }

  public func waitForRemoval() async throws(TransportError) { try await reader.waitForRemoval() }

  public func close() async { await reader.close() }
}
