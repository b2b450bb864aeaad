// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// Bytes with checksums at literal offsets, made one bit at a time, so that no code under test says what is sound.
struct SealedMemory {
  /// Where a Libre 1 keeps its three regions (FORMAT 1), and a Libre Pro its own (FORMAT 7).
  static let libre1Regions = [0..<24, 24..<320, 320..<344]
  static let proRegions = [0..<40, 40..<72, 72..<176]

  var bytes: [UInt8]

  /// A memory of which the regions hold; the bytes between mean nothing.
  init(count: Int = 344, regions: [Range<Int>] = libre1Regions) {
    bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 41 &+ 7) }
    for region in regions { bytes.seal(region) }
  }
}
