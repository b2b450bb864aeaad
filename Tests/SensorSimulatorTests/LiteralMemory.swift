// SPDX-License-Identifier: Apache-2.0

/// Memory built from numbers written out here, with a checksum of its own: what proves the writer must not be the writer.
struct LiteralMemory {
  var bytes = [UInt8](repeating: 0, count: 344)

  mutating func put(_ values: [UInt8], at offset: Int) {
    for (index, value) in values.enumerated() { bytes[offset + index] = value }
  }

  /// Writes the checksums of header, body and footer.
  mutating func seal() {
    for (start, end) in [(0, 24), (24, 320), (320, 344)] {
      let checksum = Self.checksum(bytes[start + 2..<end])
      bytes[start] = UInt8(checksum & 0xFF)
      bytes[start + 1] = UInt8(checksum >> 8)
    }
  }

  /// The definition, bit by bit: polynomial 1021, initial value FFFF, each byte's lowest bit first, nothing reflected.
  static func checksum(_ bytes: some Sequence<UInt8>) -> UInt16 {
    var register: UInt16 = 0xFFFF
    for byte in bytes {
      for bit in 0..<8 {
        let carry = register >> 15 ^ UInt16(byte >> UInt8(bit) & 1)
        register <<= 1
        if carry == 1 { register ^= 0x1021 }
      }
    }
    return register
  }
}
