// SPDX-License-Identifier: Apache-2.0
package import CGMModel

package struct StoredSink: Hashable, Sendable {
  /// Row of the sink; valid for this store only.
  package struct ID: Hashable, Sendable { let row: Int }

  package struct Stop: Hashable, Sendable {
    package enum Origin: String, Hashable, Sendable {
      case user
      /// It refused the credentials, or all samples.
      case receiver
    }

    package let origin: Origin
    package let reason: String

    package init(_ origin: Origin, _ reason: String) { (self.origin, self.reason) = (origin, reason) }
  }

  package enum Standing: Hashable, Sendable {
    case enabled
    case stopped(Stop)
    /// Removed, or enabled for another receiver.
    case gone
  }

  package struct Retry: Hashable, Sendable {
    package let at: Instant
    /// True if the receiver requested this time.
    package let isAsked: Bool

    package init(at: Instant, isAsked: Bool) { (self.at, self.isAsked) = (at, isAsked) }
  }

  package let id: ID
  package let name: String
  /// Type and address that it was enrolled for: another receiver with the same name does not continue the old queue.
  package let receiver: String
  package let enrolledAt: Instant
  /// Samples measured before this are not sent.
  package let sendsFrom: Instant
  /// nil while it is enabled.
  package let stop: Stop?
  /// Failures since the last success.
  package let failures: Int
  /// Next attempt; nil for at once.
  package let retry: Retry?
  package let lastSuccessAt: Instant?
  package let lastError: String?
  /// Queued entries with the time of the oldest, and parked ones.
  package let queued: Int
  package let oldestQueuedAt: Instant?
  package let parked: Int
  /// Values returned by the receiver, by name.
  package let memory: [String: String]
}

/// Samples of one wear, or imported values and finger-sticks, sent together, oldest first.
package struct StoredBatch: Hashable, Sendable {
  package struct ID: Hashable, Sendable { let row: Int }

  /// Number of failed attempts after which other batches go first: the receiver may fail at this one's content.
  package static let manyAttempts = 9

  package let id: ID
  /// Sixteen bytes that stay the same for every attempt.
  package let key: [UInt8]
  package let attempts: Int
  /// True if the samples were measured before the sink was enrolled.
  package let isHistorical: Bool
  /// nil for entries that are not a sensor's samples.
  package let sensor: StoredSensor.ID?
  /// Never empty.
  package let entries: [HistoryEntry]

  package var samples: [StoredSample] { entries.compactMap(\.stored) }
}

package struct ParkedEntry: Hashable, Sendable {
  package let sink: String
  package let entry: HistoryEntry
  /// The receiver's reason, or why it cannot store the entry.
  package let reason: String
  package let at: Instant
}
