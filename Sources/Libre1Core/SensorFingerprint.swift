// SPDX-License-Identifier: Apache-2.0
package import CGMModel

extension ValidatedFRAM {
  /// The bytes that distinguish this sensor from others without its UID: family, region, lot, life, thresholds and i2,
  /// all of which a dump without the last block has.
  ///
  /// nil if the header, which holds i2, is not trusted, or if the constants are not those of a known family, because
  /// then this part of the footer is damaged. (derived: no two sensors of the reference memories have the same bytes.)
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
