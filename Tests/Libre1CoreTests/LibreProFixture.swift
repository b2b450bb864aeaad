// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport

@testable import Libre1Core

/// A Libre Pro memory built with literal offsets and a checksum of its own, so that no code under test has a say in it.
struct LibreProFixture {
  var bytes: [UInt8]
  var missingBlocks: [Int] = []

  /// Trend slot k holds 1000 + k counts, history record k holds 2000 + k; both 32 to 33 °C with the i6 that is set.
  init(age: UInt16 = 4_000, trendIndex: UInt16 = 15, historyCount: UInt16 = 266, records: Int = 266) {
    bytes = [UInt8](repeating: 0, count: 176 + 6 * records)
    bytes[4] = 3
    bytes.replaceSubrange(24..<38, with: "TEST000-T0000A".utf8)
    (bytes[42], bytes[43]) = (0x10, 0x01)
    (bytes[46], bytes[47]) = (0xC0, 0x4E)
    bytes.replaceSubrange(48..<56, with: [0x14, 0x03, 0x96, 0x80, 0x5A, 0x00, 0xED, 0xA6])
    // i6 6892: 1723 in the highest twelve bits.
    (bytes[62], bytes[63]) = (0xB0, 0x6B)
    for (offset, number) in [(74, age), (76, trendIndex), (78, historyCount)] {
      (bytes[offset], bytes[offset + 1]) = (UInt8(number & 0xFF), UInt8(number >> 8))
    }
    for slot in 0..<16 { setRecord(1_000 + slot, at: 80 + 6 * slot) }
    for record in 0..<records { setRecord(2_000 + record, at: 176 + 6 * record) }
    seal()
  }

  /// Counts and the temperature 6664, without error.
  mutating func setRecord(_ counts: Int, at offset: Int) {
    let bits = UInt64(counts) | 0x320 << 14 | UInt64(6_664 / 4) << 26
    for byte in 0..<6 { bytes[offset + byte] = UInt8(truncatingIfNeeded: bits >> UInt64(8 * byte)) }
  }

  mutating func seal() {
    for region in [0..<40, 40..<72, 72..<176] { bytes.seal(region) }
  }

  var image: MemoryImage { MemoryImage(bytes: bytes, missingBlocks: missingBlocks) }

  func validated(salvaging: Bool = false) throws(MemoryError) -> ValidatedLibreProFRAM {
    try LibreProFRAM(image).validated(salvaging: salvaging)
  }

  func decoded(salvaging: Bool = false) throws(MemoryError) -> DecodedLibrePro {
    DecodedLibrePro(try validated(salvaging: salvaging))
  }
}
