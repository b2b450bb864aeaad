// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// A receiver as the store knows it: what it lacks, and how sending has gone.
public struct StoredSink: Hashable, Sendable {
  /// Which row it is; good for this store only.
  public struct ID: Hashable, Sendable {
    let row: Int
  }

  /// Why nothing is sent.
  public struct Stop: Hashable, Sendable {
    public enum Origin: String, Hashable, Sendable {
      case user
      /// It does not let us in, or takes nothing.
      case receiver
    }

    public let origin: Origin
    public let reason: String

    public init(_ origin: Origin, _ reason: String) {
      self.origin = origin
      self.reason = reason
    }
  }

  /// Whether it may be sent to.
  public enum Standing: Hashable, Sendable {
    case enabled
    case stopped(Stop)
    /// Removed, or enabled for another receiver.
    case gone
  }

  /// When sending is tried again.
  public struct Retry: Hashable, Sendable {
    public let at: Instant
    /// True if the receiver said so.
    public let isAsked: Bool

    public init(at: Instant, isAsked: Bool) {
      self.at = at
      self.isAsked = isAsked
    }
  }

  public let id: ID
  public let name: String
  /// The kind and the address that it was enrolled for: another receiver by the same name does not go on where this one
  /// stopped.
  public let receiver: String
  public let enrolledAt: Instant
  /// Nothing that was measured before is sent.
  public let sendsFrom: Instant
  /// nil while it is enabled.
  public let stop: Stop?
  /// Failures since the last success.
  public let failures: Int
  /// nil for at once.
  public let retry: Retry?
  public let lastSuccessAt: Instant?
  public let lastError: String?
  /// Samples in its outbox, with the time of the oldest, and those that it will not take.
  public let pending: Int
  public let oldestPendingAt: Instant?
  public let dead: Int
  /// What it has told, by name.
  public let memory: [String: String]
}
