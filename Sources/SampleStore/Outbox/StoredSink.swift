// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// A receiver with its queue and the state of sending.
public struct StoredSink: Hashable, Sendable {
  /// Row of the sink; valid for this store only.
  public struct ID: Hashable, Sendable {
    let row: Int
  }

  /// Reason why nothing is sent.
  public struct Stop: Hashable, Sendable {
    public enum Origin: String, Hashable, Sendable {
      case user
      /// It refused the credentials, or all samples.
      case receiver
    }

    public let origin: Origin
    public let reason: String

    public init(_ origin: Origin, _ reason: String) {
      self.origin = origin
      self.reason = reason
    }
  }

  /// Permission to send.
  public enum Standing: Hashable, Sendable {
    case enabled
    case stopped(Stop)
    /// Removed, or enabled for another receiver.
    case gone
  }

  /// Time of the next attempt.
  public struct Retry: Hashable, Sendable {
    public let at: Instant
    /// True if the receiver requested this time.
    public let isAsked: Bool

    public init(at: Instant, isAsked: Bool) {
      self.at = at
      self.isAsked = isAsked
    }
  }

  public let id: ID
  public let name: String
  /// Type and address that it was enrolled for: another receiver with the same name does not continue the old queue.
  public let receiver: String
  public let enrolledAt: Instant
  /// Samples measured before this are not sent.
  public let sendsFrom: Instant
  /// Reason for not sending; nil while it is enabled.
  public let stop: Stop?
  /// Failures since the last success.
  public let failures: Int
  /// Next attempt; nil for at once.
  public let retry: Retry?
  public let lastSuccessAt: Instant?
  public let lastError: String?
  /// Queued samples with the time of the oldest, and parked ones.
  public let pending: Int
  public let oldestPendingAt: Instant?
  public let dead: Int
  /// Values returned by the receiver, by name.
  public let memory: [String: String]
}
