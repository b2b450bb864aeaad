// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import LibreKit

package struct SyncEvent: Hashable, Sendable {
  package enum Failure: String, Hashable, Sendable, CaseIterable {
    /// Temporarily unavailable: another attempt follows.
    case unavailable
    /// Sent again in halves.
    case tooLarge = "too_large"
    /// Invalid content: sent again in halves, and a single invalid sample is parked.
    case rejected
    /// Samples that the receiver cannot store, which are parked.
    case unsuitable
    /// The receiver does not delete removed values; it is not asked again automatically, and sending continues.
    case notRemoved = "not_removed"
    /// The receiver denies access: sending stops.
    case refused
    case misdirected, unequipped
    /// The session expired: a new one is requested.
    case sessionEnded = "session_ended"
  }

  package struct Rejection: Hashable, Sendable {
    package let id: SampleID?
    package let reason: String
  }

  package enum Kind: Hashable, Sendable {
    case syncing(queued: Int)
    case success(Receipt)
    /// Records that the receiver deleted, or no longer had.
    case removed([SampleID])
    /// A failure; `batch` is nil for a request before the batches.
    case failed(batch: String?, Failure, reason: String, rejected: [Rejection])
    case nothingToSync
    /// The rest is queued until then. `isAsked`: the receiver asked to wait; `reason`: that of the last failure.
    case retryScheduled(Instant, isAsked: Bool, reason: String?)
    case paused(reason: String)
    /// Queued samples that are dated after this computer's clock, up to that time: one of the clocks is or was wrong.
    case waitsForClock(Int, until: Instant)
    /// Queued entries of a sink whose interval has not passed: the next run sends them, from that time on.
    case waitsForInterval(Int, until: Instant)
    case completed(Tally)
    case rehearsed(Rehearsal)
  }

  /// A step that `--dry-run` shows without taking it.
  package enum Rehearsal: Hashable, Sendable {
    /// Queued entries; `obstacle` is the reason why nothing is sent, nil for none.
    case queued(Int, destination: String, obstacle: String?)
    case leftOut(SampleID?, reason: String)
    /// A request before the batches, with placeholders for secrets.
    case question(purpose: String, request: String)
    case batch(isHistorical: Bool, samples: [SampleID], request: String)
    case removal([SampleID], request: String)
  }

  package struct Receipt: Hashable, Sendable {
    /// A UUID, the same for every attempt.
    package let batch: String
    package let isHistorical: Bool
    package let samples: [SampleID]
    /// Number of samples that the receiver already had; nil if it does not report it.
    package let duplicates: Int?
    package let from: Instant?
    package let to: Instant?
  }

  package struct Tally: Hashable, Sendable {
    package internal(set) var accepted = 0
    /// Samples that the receiver already had; nil if it did not always report it.
    package internal(set) var duplicates: Int? = 0
    package internal(set) var removed = 0
    package internal(set) var parked = 0
    package internal(set) var queued = 0
  }

  package let sink: String
  package let at: Instant
  package let kind: Kind
  package init(sink: String, at: Instant, kind: Kind) { (self.sink, self.at, self.kind) = (sink, at, kind) }
}
