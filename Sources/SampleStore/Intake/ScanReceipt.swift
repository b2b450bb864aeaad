// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// Result of storing a scan.
public struct ScanReceipt: Hashable, Sendable {
  /// The sensor, with its UID if any scan has contained it.
  package var sensor: SensorIdentity
  package var sensorID: StoredSensor.ID
  /// Number of the wear, from 1; nil for a sensor that was never started, which has no samples.
  package var wear: Int?
  package var isNewWear = false
  package var isNewScan = true
  /// Start of the wear, from which its times are counted; nil until a scan has a time.
  package var activatedAt: Instant?
  /// The reason why the start may be wrong.
  package var doubt: StartDoubt?
  /// The reason why this scan does not date its sensor, although it has a time.
  package var scanDoubt: StartDoubt?
  /// Seconds by which this scan dates the start later than `activatedAt`; nil without a time.
  package var disagreementSeconds: Int?
  /// Seconds by which this scan moved the start that the store had from other scans; nil for the first that dates it.
  package var startMovedSeconds: Int?
  /// Number of new samples.
  public var added = 0
  /// Samples that replaced an error, or added a missing value.
  package var filled = 0
  package var known = 0
  package var conflicts = 0
  /// Samples that the user removed; they stay removed.
  package var leftOut = 0

  package var reportedDisagreement: Int? { disagreementSeconds.flatMap(ActivationAnchor.reported) }
  package var reportedStartMove: Int? { startMovedSeconds.flatMap(ActivationAnchor.reported) }
}

package struct IncomingScan: Sendable {
  package let reading: SensorReading
  /// The same memory decoded with other models; their values are stored as revisions.
  package var others: [SensorReading]
  /// The footer, 24 bytes, if its checksum is valid; it is used for scans with a damaged footer.
  package var footer: [UInt8]?
  package var timeZone: String?
  /// True for a stored scan whose memory is decoded again, so that it does not count as read again.
  package var isDecodedAgain = false
  /// True if this computer's clock is behind what the store knows of other sensors.
  var isClockBehind = false

  package init(_ reading: SensorReading, others: [SensorReading] = [], footer: [UInt8]?, timeZone: String?) {
    (self.reading, self.others, self.footer, self.timeZone) = (reading, others, footer, timeZone)
  }

  /// True if the footer of another scan of this sensor would give it values.
  var lacksFooter: Bool {
    reading.integrity.header.isTrusted
      && reading.problems.contains { if case .footerNotTrusted = $0 { true } else { false } }
  }

  var dating: SensorReading.Dating {
    isClockBehind && reading.dating == .firm ? .provisional(.clockNotSet) : reading.dating
  }

  var isDating: Bool { dating == .firm }

  /// The start of the wear by this scan; nil if it does not date the sensor.
  var start: Instant? { isDating ? reading.sensor.activatedAt : nil }
}
