// SPDX-License-Identifier: Apache-2.0

/// Rules for repeating exchanges: which ones, and how often.
///
/// A tag at the edge of the field misses a request now and then, and answers the next one. Repeating does not bring
/// back a tag that has left, or repair a failed reader.
package struct RetryPolicy: Hashable, Sendable {
  /// Total number of attempts, 1 or more.
  package let attempts: Int

  /// Three attempts, as another reader does for each block (read: LBridge). Untested on hardware.
  package static let standard = RetryPolicy(attempts: 3)

  /// Creates a policy; values below 1 count as 1.
  package init(attempts: Int) { self.attempts = max(attempts, 1) }

  /// True if the request may be answered next time: the tag was silent.
  package func isTransient(_ error: TransportError) -> Bool { if case .tagSilent = error { true } else { false } }

  /// True if the next attempt may give a better answer.
  ///
  /// Noise causes invalid answers and refusals for reasons unrelated to the request. An unknown command, option or
  /// block is permanent, so a scan continues with other commands at once, and a command that a reader cannot carry
  /// costs no time.
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
