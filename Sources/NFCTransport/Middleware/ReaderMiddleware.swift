// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// A reader around a reader; it forwards every call that it does not change.
package protocol ReaderMiddleware: TagReader {
  /// The inner reader.
  nonisolated var reader: any TagReader { get }
}

extension ReaderMiddleware {
  package var description: ReaderDescription { get async { await reader.description } }

  package var recording: Recording? { get async { await reader.recording } }

  package func waitForTag(within timeout: Duration) async throws(TransportError) {
    try await reader.waitForTag(within: timeout)
  }

  package func run<Value: Sendable>(
    _ work: @escaping @Sendable () async -> Value, rescue: @escaping @Sendable (TransportError) -> Value
  ) async -> Value {
    await reader.run(work, rescue: rescue)
  }

  package func waitForRemoval() async throws(TransportError) { try await reader.waitForRemoval() }

  package func close() async { await reader.close() }
}
