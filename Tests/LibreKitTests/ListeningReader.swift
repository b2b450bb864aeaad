// SPDX-License-Identifier: Apache-2.0
import CGMModel
import NFCTransport

/// Records the requests to another reader, and answers some of them itself.
actor ListeningReader: HostReader {
  private let reader: any TagReader
  private let interception: @Sendable (ISO15693.Request) throws(TransportError) -> [UInt8]?
  nonisolated let recording: Recording?
  private(set) var frames: [[UInt8]] = []

  /// `interception` answers instead of the other reader, or returns nil to let it answer.
  init(
    _ reader: any TagReader, recordedAt: Instant? = nil,
    interception: @escaping @Sendable (ISO15693.Request) throws(TransportError) -> [UInt8]? = { _ in nil }
  ) {
    self.reader = reader
    recording = recordedAt.map { Recording(at: $0) }
    self.interception = interception
  }

  var description: ReaderDescription { get async { await reader.description } }

  func exchange(_ request: ISO15693.Request) async throws(TransportError) -> [UInt8] {
    frames.append(request.frame)
    if let answer = try interception(request) { return answer }
    return try await reader.exchange(request)
  }

  func waitForTag(within limit: Duration) async throws(TransportError) { try await reader.waitForTag(within: limit) }
  func waitForRemoval() async throws(TransportError) { try await reader.waitForRemoval() }
  func close() async { await reader.close() }
}
