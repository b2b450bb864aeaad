// SPDX-License-Identifier: Apache-2.0

/// Bytes with checksums at literal offsets, made one bit at a time, so that no code under test says what is sound.
struct SealedMemory {
  /// Where a Libre 1 keeps its three regions (FORMAT 1), and a Libre Pro its own (FORMAT 7).
  static let libre1Regions = [0..<24, 24..<320, 320..<344]
  static let proRegions = [0..<40, 40..<72, 72..<176]

  var bytes: [UInt8]

  /// A memory of which the regions hold; the bytes between mean nothing.
  init(count: Int = 344, regions: [Range<Int>] = libre1Regions) {
    bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 41 &+ 7) }
    for region in regions { seal(region) }
  }

  /// Polynomial 1021, FFFF, bytes lowest bit first, result not reflected (FORMAT 4).
  mutating func seal(_ region: Range<Int>) {
    var crc: UInt16 = 0xFFFF
    for byte in bytes[region.lowerBound + 2..<region.upperBound] {
      for bit in 0..<8 {
        let incoming = UInt16(byte >> bit & 1)
        crc = crc >> 15 == incoming ? crc << 1 : crc << 1 ^ 0x1021
      }
    }
    (bytes[region.lowerBound], bytes[region.lowerBound + 1]) = (UInt8(crc & 0xFF), UInt8(crc >> 8))
  }
}
