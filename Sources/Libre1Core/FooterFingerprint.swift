// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// Eight constants of the footer, the same on every sensor of a product (verified: 34 distinct Libre 1 footers,
/// Libre1Core/MemoryFormat, "Fingerprints").
package enum FooterFingerprint {
  package static var libre1: [UInt8] { array(constantsOfLibre1) }
  package static var libre2: [UInt8] { array(constantsOfLibre2) }

  private static let constantsOfLibre1: InlineArray<8, UInt8> = [0x14, 0x07, 0x96, 0x80, 0x5A, 0x00, 0xED, 0xA6]
  private static let constantsOfLibre2: InlineArray<8, UInt8> = [0x14, 0x03, 0x96, 0x80, 0x5A, 0x00, 0xCD, 0xA6]

  private static func array(_ constants: InlineArray<8, UInt8>) -> [UInt8] { constants.indices.map { constants[$0] } }

  /// US 14-day sensors share the constants of Libre 1, but differ in the byte that repeats patch info byte 2.
  static func family(of fram: FRAM) -> SensorFamily? {
    let place = MemoryMap.fingerprint
    func hasConstants(_ constants: InlineArray<8, UInt8>) -> Bool {
      constants.indices.allSatisfy { constants[$0] == fram.byte(place.offset + $0) }
    }
    if hasConstants(constantsOfLibre2) { return .libre2 }
    guard hasConstants(constantsOfLibre1) else { return nil }
    return switch fram.byte(MemoryMap.familyByte) {
    case 0x00: .libre1
    case 0x03: .libreUS14Day
    default: nil
    }
  }
}

extension ValidatedFRAM {
  /// Bytes that distinguish this sensor without its UID: family, region, lot, life, thresholds and i2 (derived:
  /// no two sensors of the reference memories have the same). nil if the header, which holds i2, is not trusted, or the
  /// constants are not those of a known family: then this part of the footer is damaged.
  package var fingerprint: SensorFingerprint? {
    let place = MemoryMap.identity
    guard integrity.header.isTrusted, !fram.missingBlocks.touches(place), FooterFingerprint.family(of: fram) != nil
    else { return nil }
    let i2 = fram.value(of: MemoryMap.i2)
    return SensorFingerprint(
      bytes: place.map(fram.byte) + [UInt8(truncatingIfNeeded: i2 >> 8), UInt8(truncatingIfNeeded: i2)])
  }

  /// The footer, kept for later scans whose footer is damaged; nil unless its checksum is correct.
  package var footerBytes: [UInt8]? { integrity.footer.isTrusted ? MemoryMap.footer.bytes.map(fram.byte) : nil }
}
