// SPDX-License-Identifier: Apache-2.0

/// An identity for sensors with an unknown UID: numbers that the factory wrote into the memory, and that a dump without
/// the last block still has. No two sensors with the same are known, but this is not guaranteed (derived).
public struct SensorFingerprint: Hashable, Sendable {
  /// 322…335 of the memory, then i2, high byte first.
  public let bytes: [UInt8]

  public init?(bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    self.bytes = bytes
  }
}

extension SensorFingerprint: CustomStringConvertible {
  public var description: String { HexText.string(of: bytes) }
}

/// The facts that tell a sensor from all others, as far as they are known.
public struct SensorIdentity: Hashable, Sendable {
  /// The UID; nil until a scan provides it.
  public let uid: SensorUID?
  /// The fingerprint; nil until a scan has a whole header and footer.
  public let fingerprint: SensorFingerprint?
  /// The serial number on the sensor's box; nil without a UID or where the family's first digit is not known.
  public let serial: String?
  public let family: SensorFamily
  /// The product on the box; nil where no patch info tells it.
  package let product: SensorProduct?

  public init(uid: SensorUID?, fingerprint: SensorFingerprint?, serial: String?, family: SensorFamily) {
    self.init(uid: uid, fingerprint: fingerprint, serial: serial, family: family, product: nil)
  }

  package init(
    uid: SensorUID?, fingerprint: SensorFingerprint?, serial: String?, family: SensorFamily, product: SensorProduct?
  ) {
    self.uid = uid
    self.fingerprint = fingerprint
    self.serial = serial
    self.family = family
    self.product = product
  }

  /// The name on the box as far as it is known.
  package var productName: String { product?.name ?? family.productName }

  /// The texts by which a person may name the sensor.
  package var names: [String] { [uid?.description, serial, fingerprint?.description].compactMap { $0 } }

  /// The first of serial number, UID and fingerprint that is known.
  package var label: String { serial ?? uid?.description ?? fingerprint?.description ?? "unknown" }
}
