// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// Result of storing a scan.
public struct ScanReceipt: Hashable, Sendable {
  /// The sensor, with its UID if any scan has contained it.
  public var sensor: SensorIdentity
  public var sensorID: StoredSensor.ID
  /// Number of the wear, from 1; nil for a sensor that was never started, which has no samples.
  public var wear: Int?
  /// True if this scan began the wear, and it is not the sensor's first.
  public var isNewWear = false
  /// False for a scan that was already stored.
  public var isNewScan = true
  /// Start of the wear, from which its times are counted; nil until a scan has a time.
  public var activatedAt: Instant?
  /// True if the start is known only from a file's modification time.
  public var isProvisional = false
  /// Seconds by which this scan dates the start later than `activatedAt`; nil without a time.
  public var disagreementSeconds: Int?
  /// Seconds by which this scan moved the start that the store had from other scans, and with it all times of the wear;
  /// nil for the first scan that dates it.
  public var startMovedSeconds: Int?
  /// Number of new samples.
  public var added = 0
  /// Samples that replaced an error, or added a missing value.
  public var filled = 0
  /// Samples that were already stored.
  public var known = 0
  /// Samples that were stored with other counts.
  public var conflicts = 0
  /// Samples that the user removed; they stay removed.
  public var leftOut = 0

  /// Disagreement of more than two minutes, which is reported.
  public var reportedDisagreement: Int? { Self.reported(disagreementSeconds) }

  /// A start that moved by more than two minutes, which is reported: less is within the resolution of the scans.
  public var reportedStartMove: Int? { Self.reported(startMovedSeconds) }

  private static func reported(_ seconds: Int?) -> Int? {
    seconds.flatMap { abs($0) > ActivationAnchor.reportedDisagreementSeconds ? $0 : nil }
  }
}

/// A reading to be stored.
public struct IncomingScan: Sendable {
  /// The reading, decoded with the factory calibration.
  public let reading: SensorReading
  /// The same memory decoded with other models; their values are stored as revisions.
  public var others: [SensorReading]
  /// The footer, 24 bytes, if its checksum is valid; it is used for scans with a damaged footer.
  public var footer: [UInt8]?
  /// Name of the time zone of the read, `Europe/Rome`; nil if unknown.
  public var timeZone: String?
  /// True for a stored scan whose memory is decoded again, so that it does not count as read again.
  public var isDecodedAgain = false

  public init(_ reading: SensorReading, others: [SensorReading] = [], footer: [UInt8]?, timeZone: String?) {
    self.reading = reading
    self.others = others
    self.footer = footer
    self.timeZone = timeZone
  }

  /// True if the footer of another scan of this sensor would give it values.
  var lacksFooter: Bool {
    reading.integrity.header.isTrusted
      && reading.problems.contains { if case .footerNotTrusted = $0 { true } else { false } }
  }

  /// Reliability of the start derived from this scan. A sensor whose clock has or may have stopped gives none, nor does
  /// the age in a damaged body.
  var dating: Dating {
    guard reading.readAt != nil, !reading.isSalvaged else { return .none }
    switch reading.sensor.state {
    case .warmingUp, .active, .expired: break
    case .notActivated, .shutdown, .failure, .unknown: return .none
    }
    switch reading.readAtSource {
    case .clock, .option, .file: return .firm
    case .modificationTime: return .provisional
    case .unknown: return .none
    }
  }

  enum Dating {
    case none
    /// Derived from a file's modification time, which copying or unpacking may have changed.
    case provisional
    case firm
  }

  var isDating: Bool { dating == .firm }
}
