// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// The number printed on a sensor's box: 48 bits of the UID and two zero bits make ten groups of five bits (read:
/// LibreMonitor, with the example E007A0000025905E ↔ 0M00009DHCR; verified on more pairs).
package enum SerialNumber {
  package static func text(for uid: SensorUID, family: SensorFamily) -> String? {
    characters(for: uid, family: family).map { characters in
      String(decoding: characters.indices.map { characters[$0] }, as: UTF8.self)
    }
  }

  package static func characters(for uid: SensorUID, family: SensorFamily) -> InlineArray<11, UInt8>? {
    guard let digit = family.serialDigit else { return nil }
    let bits = (uid.bits << 16) >> 14
    let alphabet: StaticString = "0123456789ACDEFGHJKLMNPQRTUVWXYZ"
    return alphabet.withUTF8Buffer { alphabet in
      InlineArray { $0 == 0 ? UInt8(ascii: digit) : alphabet[Int(bits >> UInt64(50 - 5 * $0) & 31)] }
    }
  }
}
