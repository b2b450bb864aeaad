// SPDX-License-Identifier: Apache-2.0

/// A reader around a reader; it forwards every call that it does not change.
package protocol ReaderMiddleware: HostReader {
  nonisolated var reader: any TagReader { get }
}

extension ReaderMiddleware {
  package var description: ReaderDescription { get async { await reader.description } }
  package var recording: Recording? { get async { await reader.asHostReader?.recording } }

  package func waitForTag(within timeout: Duration) async throws(TransportError) {
    try await reader.waitForTag(within: timeout)
  }

  package var ownThread: (any ReaderThreading)? { get async { await reader.asHostReader?.ownThread } }

  package func waitForRemoval() async throws(TransportError) { try await reader.waitForRemoval() }
  package func close() async { await reader.close() }
}

/// A tag at the edge of the field misses a request now and then, and answers the next one. Repeating does not bring
/// back a tag that has left, or repair a failed reader.
package struct RetryPolicy: Hashable, Sendable {
  package let attempts: Int

  /// Three attempts, as another reader does for each block (read: LBridge). Untested on hardware.
  package static let standard = RetryPolicy(attempts: 3)

  package init(attempts: Int) { self.attempts = max(attempts, 1) }

  package func isTransient(_ error: TransportError) -> Bool { if case .tagSilent = error { true } else { false } }

  /// Noise causes invalid answers and refusals for reasons unrelated to the request. An unknown command, option or
  /// block is permanent, so a scan continues with other commands at once.
  package func isTransient(_ answer: [UInt8], to request: ISO15693.Request) -> Bool {
    guard let response = try? ISO15693.Response(answer, to: request) else { return true }
    guard case .error(let error) = response else { return false }
    return switch error {
    case .notSupported, .optionNotSupported, .blockNotAvailable: false
    case .formatError, .unspecified, .custom, .unknown: true
    // Answers to commands that are never sent.
    case .alreadyLocked, .locked, .writeFailed, .lockFailed: true
    }
  }
}

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

package struct ExchangeMeter: Hashable, Sendable {
  package private(set) var exchanges = 0
  /// Requests that returned blocks.
  package private(set) var blockReads = 0
  /// Computed from the lengths, without answers "not supported", which a reader may give itself.
  package private(set) var airTime = Duration.zero

  package init() {}

  mutating func count(_ request: ISO15693.Request, answer: [UInt8]?) {
    exchanges += 1
    guard let answer, answer != TagError.notSupported.answer else { return }
    airTime += request.airTime(answerByteCount: answer.count)
    if request.blocks != nil, answer.first == 0 { blockReads += 1 }
  }
}

package actor MeteringReader: ReaderMiddleware {
  package nonisolated let reader: any TagReader
  package private(set) var meter = ExchangeMeter()

  package init(_ reader: any TagReader) { self.reader = reader }

  package func exchange(_ request: ISO15693.Request) async throws(TransportError) -> [UInt8] {
    let answer = await reader.result(of: request)
    meter.count(request, answer: try? answer.get())
    return try answer.get()
  }
}
