// SPDX-License-Identifier: Apache-2.0

/// The checksum by its definition, one bit at a time and without tables or reversals: a register of sixteen bits that
/// shifts left, polynomial 1021, start FFFF, each byte fed lowest bit first.
package enum BitwiseCRC {
  package static func checksum(_ bytes: some Sequence<UInt8>) -> UInt16 {
    var register: UInt16 = 0xFFFF
    for byte in bytes {
      for bit in 0..<8 {
        let feedback = register >> 15 ^ UInt16(byte >> UInt8(bit) & 1)
        register <<= 1
        if feedback == 1 { register ^= 0x1021 }
      }
    }
    return register
  }
}

extension [UInt8] {
  /// Writes a region's checksum into its first two bytes, as the sensor does (Libre1Core/MemoryFormat, "Checksum").
  package mutating func seal(_ region: Range<Int>) {
    let checksum = BitwiseCRC.checksum(self[region.dropFirst(2)])
    (self[region.lowerBound], self[region.lowerBound + 1]) = (UInt8(checksum & 0xFF), UInt8(checksum >> 8))
  }
}
