// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// Samples of one wear that were put together to be sent, oldest first.
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
  public let sensor: StoredSensor.ID
  /// Without ids, which need SHA-1. Never empty.
  public let samples: [StoredSample]
}

/// A sample that a receiver will not take.
public struct DeadLetter: Hashable, Sendable {
  /// The sink's name.
  public let sink: String
  /// Without an id.
  public let sample: StoredSample
  /// The receiver's words, or why it cannot hold the sample.
  public let reason: String
  public let at: Instant
}
