// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// What the store made of a scan.
public struct ScanReceipt: Hashable, Sendable {
  /// Whose it is, with the UID if another scan has told it.
  public var sensor: SensorIdentity
  public var sensorID: StoredSensor.ID
  /// From 1; nil for a sensor that was never started, which has no samples.
  public var wear: Int?
  /// True if this scan began it, and it is not the first.
  public var isNewWear = false
  /// False for a scan that was stored before.
  public var isNewScan = true
  /// The one moment from which the times of this wear are counted; nil as long as no scan has a time.
  public var activatedAt: Instant?
  /// True if only the modification time of a file tells that moment.
  public var isProvisional = false
  /// Seconds by which this scan dates the start later than `activatedAt`; nil without a time.
  public var disagreementSeconds: Int?
  /// Samples that were new, …
  public var added = 0
  /// … that replaced an error, or got the value they lacked, …
  public var filled = 0
  /// … that were there already, …
  public var known = 0
  /// … and that were there with other counts.
  public var conflicts = 0
  /// Samples that the user has removed, and that stay so.
  public var leftOut = 0

  /// A disagreement of more than two minutes, which is worth telling.
  public var tellingDisagreement: Int? {
    disagreementSeconds.flatMap { abs($0) > ActivationAnchor.tellingSeconds ? $0 : nil }
  }
}

/// A reading on its way into the store.
public struct IncomingScan: Sendable {
  /// Decoded with the factory calibration.
  public let reading: SensorReading
  /// The same memory decoded with other models; their values are kept as revisions.
  public var others: [SensorReading]
  /// The footer, 24 bytes, if its checksum holds: it is remembered for scans whose footer is damaged.
  public var footer: [UInt8]?
  /// The name of the zone in which it was read, `Europe/Rome`; nil where it is not known.
  public var timeZone: String?
  /// True for a stored scan whose memory is decoded again, which nobody has brought once more.
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

  /// How far it says when the sensor was started. A sensor whose clock stands still or may do so does not say it, nor an
  /// age from a damaged body.
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
    /// A file's modification time: whatever copied or unpacked the file may have set it.
    case provisional
    case firm
  }

  var isDating: Bool { dating == .firm }
}
