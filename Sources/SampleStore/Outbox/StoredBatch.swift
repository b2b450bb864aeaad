// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// Samples of one wear, or imported values and finger-sticks, that were put together to be sent, oldest first.
public struct StoredBatch: Hashable, Sendable {
  public struct ID: Hashable, Sendable {
    let row: Int
  }

  /// A batch that has been sent so often in vain lets others go first: something in it may be what the receiver fails at.
  public static let manyAttempts = 9

  public let id: ID
  /// Sixteen bytes that stay the same when it is sent again.
  public let key: [UInt8]
  /// How often it has been sent already.
  public let attempts: Int
  /// True if they were measured before the sink was enrolled.
  public let isHistorical: Bool
  /// nil for what no sensor of ours measured.
  public let sensor: StoredSensor.ID?
  /// Sensors' samples without ids, which need SHA-1. Never empty.
  public let entries: [HistoryEntry]

  /// Those of a sensor.
  public var samples: [StoredSample] { entries.compactMap(\.stored) }
}

/// An entry that a receiver will not take.
public struct DeadLetter: Hashable, Sendable {
  /// The sink's name.
  public let sink: String
  /// A sensor's sample without its id.
  public let entry: HistoryEntry
  /// The receiver's words, or why it cannot hold the entry.
  public let reason: String
  public let at: Instant
}

/// The two kinds of entries that no sensor of ours measured.
public enum EntryKind: String, Hashable, Sendable, CaseIterable {
  case imported
  case fingerStick = "finger_stick"

  /// The column of `sink` up to which changes are in the outbox.
  var cursor: String { "\(rawValue)_cursor" }
}
