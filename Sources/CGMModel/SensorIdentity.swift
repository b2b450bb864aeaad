// SPDX-License-Identifier: Apache-2.0

/// What tells a sensor from others where its UID is not known: numbers that the factory wrote into its memory, which
/// survive a dump without the last block. They are as good as unique, but not made to be (derived).
public struct SensorFingerprint: Hashable, Sendable {
  /// Sixteen bytes: 322…335 of the memory, then i2, high byte first.
  public let bytes: [UInt8]

  /// nil unless there are sixteen bytes.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    self.bytes = bytes
  }
}

extension SensorFingerprint: CustomStringConvertible {
  /// 32 upper-case hex digits.
  public var description: String { HexText.string(of: bytes) }
}

/// Whose a sample is.
public struct SensorIdentity: Hashable, Sendable {
  /// nil until it is learnt from a scan that has it.
  public let uid: SensorUID?
  /// nil until a scan with a whole header and footer has been seen.
  public let fingerprint: SensorFingerprint?
  /// As printed on the sensor's box; nil without a UID or where the family's digit is not known.
  public let serial: String?
  public let family: SensorFamily

  public init(uid: SensorUID?, fingerprint: SensorFingerprint?, serial: String?, family: SensorFamily) {
    self.uid = uid
    self.fingerprint = fingerprint
    self.serial = serial
    self.family = family
  }
}
