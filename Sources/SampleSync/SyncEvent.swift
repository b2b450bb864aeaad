// SPDX-License-Identifier: Apache-2.0
public import CGMModel
import LibreKit

/// What happens while samples are sent to a sink.
public struct SyncEvent: Hashable, Sendable {
  /// Why a batch has not gone.
  public enum Failure: String, Hashable, Sendable, CaseIterable {
    /// The receiver cannot now: it is tried again.
    case unavailable
    /// It goes in halves.
    case tooLarge = "too_large"
    /// Something in it is wrong: it goes in halves, and what is wrong by itself is parked.
    case rejected
    /// The receiver cannot hold some of it, which is parked.
    case unsuitable
    /// The receiver does not take back what was removed; it is not asked again by itself, and sending goes on.
    case notRemoved = "not_removed"
    /// The receiver does not let us in: nothing more is sent.
    case refused
    /// The address, a certificate, or a redirect to another host.
    case misdirected
    /// A library that it goes by is not on this machine.
    case unequipped
    /// What was learnt for the session does not hold any more: it is asked for again.
    case sessionEnded = "session_ended"
  }

  /// A sample that was parked, and why.
  public struct Rejection: Hashable, Sendable {
    public let id: SampleID?
    public let reason: String
  }

  public enum Kind: Hashable, Sendable {
    case syncing(pending: Int)
    case success(Receipt)
    /// The receiver has taken these back, or did not have them any more.
    case removed([SampleID])
    /// `batch` is nil for a question that comes before batches.
    case failed(batch: String?, Failure, reason: String, rejected: [Rejection])
    case nothingToSync
    case retryScheduled(Instant)
    case paused(reason: String)
    case completed(Tally)
    case rehearsed(Rehearsal)
  }

  /// A step that `--dry-run` shows instead of taking it.
  public enum Rehearsal: Hashable, Sendable {
    /// `obstacle` is why nothing is sent; nil if nothing stands in the way.
    case pending(Int, destination: String, obstacle: String?)
    case leftOut(SampleID?, reason: String)
    /// A question that comes before batches, and the request, with placeholders for secrets.
    case question(purpose: String, request: String)
    case batch(isHistorical: Bool, samples: [SampleID], request: String)
    /// What would be taken back.
    case removal([SampleID], request: String)
  }

  /// That a batch has arrived.
  public struct Receipt: Hashable, Sendable {
    /// A UUID, the same for every attempt.
    public let batch: String
    public let isHistorical: Bool
    public let samples: [SampleID]
    /// How many of them the receiver says it had; nil if it does not say.
    public let duplicates: Int?
    public let from: Instant?
    public let to: Instant?
  }

  /// What a run came to.
  public struct Tally: Hashable, Sendable {
    public internal(set) var accepted = 0
    /// nil where the receiver has not always said.
    public internal(set) var duplicates: Int? = 0
    /// Taken back by the receiver.
    public internal(set) var removed = 0
    /// Parked in this run.
    public internal(set) var dead = 0
    /// Still to be sent.
    public internal(set) var pending = 0
  }

  /// The user's name for it.
  public let sink: String
  public let at: Instant
  public let kind: Kind

  public init(sink: String, at: Instant, kind: Kind) {
    self.sink = sink
    self.at = at
    self.kind = kind
  }
}
