// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// Samples of one wear, or imported values and finger-sticks, sent together, oldest first.
package struct StoredBatch: Hashable, Sendable {
  package struct ID: Hashable, Sendable {
    let row: Int
  }

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
  /// The sink's name.
  package let sink: String
  package let entry: HistoryEntry
  /// The receiver's reason, or why it cannot store the entry.
  package let reason: String
  package let at: Instant
}
