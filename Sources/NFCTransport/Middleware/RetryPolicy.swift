// SPDX-License-Identifier: Apache-2.0

/// Which exchanges are worth repeating, and how often.
///
/// A tag at the edge of the field misses a question now and then, and the next one is answered. A tag that has left,
/// and a reader that fails, do not come back by being asked again.
public struct RetryPolicy: Hashable, Sendable {
  /// How often a question is asked in all, 1 or more.
  public let attempts: Int

  /// Three times in all, as one other reader does for each block (read: LBridge). Untested on hardware.
  public static let standard = RetryPolicy(attempts: 3)

  /// Fewer than one attempt are taken as one.
  public init(attempts: Int) { self.attempts = max(attempts, 1) }

  /// True if the question may be answered next time: the tag kept silent.
  public func isTransient(_ error: TransportError) -> Bool { if case .tagSilent = error { true } else { false } }

  /// True if the question may be answered better next time.
  ///
  /// That an answer is none that the question can have, or that the tag refuses without a reason that concerns the
  /// question, is what noise does. That it does not know the command, the option or the block is for good: so a scan
  /// goes on with other commands at once, and a reader that cannot carry one costs no time.
  public func isTransient(_ answer: [UInt8], to request: ISO15693.Request) -> Bool {
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
