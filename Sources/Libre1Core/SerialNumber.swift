// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// The number printed on a sensor's box: 48 bits of the UID and two zero bits make ten groups of five bits (read:
/// LibreMonitor, with the example E007A0000025905E ↔ 0M00009DHCR; verified on more pairs).
package enum SerialNumber {
  private static let alphabet = Array("0123456789ACDEFGHJKLMNPQRTUVWXYZ")

  package static func text(for uid: SensorUID, family: SensorFamily) -> String? {
    guard let digit = family.serialDigit else { return nil }
    let bits = (uid.bits << 16) >> 14
    return String(digit) + String((0..<10).map { alphabet[Int(bits >> UInt64(45 - 5 * $0) & 31)] })
  }
}
