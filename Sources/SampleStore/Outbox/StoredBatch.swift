// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// Samples of one wear, or imported values and finger-sticks, sent together, oldest first.
public struct StoredBatch: Hashable, Sendable {
  public struct ID: Hashable, Sendable {
    let row: Int
  }

  /// Number of failed attempts after which other batches go first: the receiver may fail at this one's content.
  public static let manyAttempts = 9

  public let id: ID
  /// Sixteen bytes that stay the same for every attempt.
  public let key: [UInt8]
  /// Number of attempts so far.
  public let attempts: Int
  /// True if the samples were measured before the sink was enrolled.
  public let isHistorical: Bool
  /// Sensor of the samples; nil for imported values and finger-sticks.
  public let sensor: StoredSensor.ID?
  /// Entries; sensors' samples are without ids, which need SHA-1. Never empty.
  public let entries: [HistoryEntry]

  /// Samples of a sensor.
  public var samples: [StoredSample] { entries.compactMap(\.stored) }
}

/// A parked entry: a receiver refused it.
public struct ParkedEntry: Hashable, Sendable {
  /// The sink's name.
  public let sink: String
  /// The entry; a sensor's sample is without its id.
  public let entry: HistoryEntry
  /// The receiver's reason, or why it cannot store the entry.
  public let reason: String
  public let at: Instant
}

/// The kinds of entries that are not sensors' samples.
public enum EntryKind: String, Hashable, Sendable, CaseIterable {
  case imported
  case fingerStick = "finger_stick"
  case bloodPressure = "blood_pressure"

  /// Column of `sink` up to which changes are in the outbox.
  var cursor: String { "\(rawValue)_cursor" }
}
