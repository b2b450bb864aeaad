// SPDX-License-Identifier: Apache-2.0
public import CGMModel

extension ValidatedFRAM {
  /// What tells this sensor from others without its UID: family, region, lot, life, thresholds and i2, of which a dump
  /// without the last block has all.
  ///
  /// nil if the header is not trusted, which holds i2, or if the constants among them are not a known family's: then the
  /// footer is damaged in the middle. (derived: no two sensors of the reference memories have the same.)
  public var fingerprint: SensorFingerprint? {
    let place = MemoryMap.identity
    guard integrity.header.isTrusted, !fram.missingBlocks.touches(place), FooterFingerprint.family(of: fram) != nil
    else { return nil }
    let i2 = fram.value(of: MemoryMap.i2)
    return SensorFingerprint(
      bytes: place.map(fram.byte) + [UInt8(truncatingIfNeeded: i2 >> 8), UInt8(truncatingIfNeeded: i2)])
  }

  /// The footer, to be remembered for a later scan whose footer is damaged; nil unless its checksum holds.
  public var footerBytes: [UInt8]? { integrity.footer.isTrusted ? MemoryMap.footer.bytes.map(fram.byte) : nil }
}
