// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// Eight constants of the footer, the same on every sensor of a product (verified: 34 distinct Libre 1 footers,
/// Libre1Core/MemoryFormat, "Fingerprints").
package enum FooterFingerprint {
  package static let libre1: [UInt8] = [0x14, 0x07, 0x96, 0x80, 0x5A, 0x00, 0xED, 0xA6]
  package static let libre2: [UInt8] = [0x14, 0x03, 0x96, 0x80, 0x5A, 0x00, 0xCD, 0xA6]

  /// Returns the family with these constants. US 14-day sensors share those of Libre 1, but differ in the byte that
  /// repeats patch info byte 2.
  static func family(of fram: FRAM) -> SensorFamily? {
    let place = MemoryMap.fingerprint
    let constants = (place.offset..<place.offset + place.count).map(fram.byte)
    return switch (constants, fram.byte(MemoryMap.familyByte)) {
    case (libre1, 0x00): .libre1
    case (libre1, 0x03): .libreUS14Day
    case (libre2, _): .libre2
    default: nil
    }
  }
}
