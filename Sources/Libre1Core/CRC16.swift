// SPDX-License-Identifier: Apache-2.0

/// The checksum over each region of the memory.
///
/// Polynomial 1021, initial value FFFF, bytes fed lowest bit first, result *not* reflected, no final XOR, stored
/// little-endian: the MSP430's CRC16 module behind its bit-reversed input register (read: cryptax, LibreMonitor;
/// verified on the reference memories). `123456789` gives 89F6. It equals CRC-16/MCRF4XX with the 16 result bits in reverse.
///
/// Eight bytes a step with eight tables ("slicing by eight"); the tests hold the bit-by-bit definition against it.
public enum CRC16 {
  /// The checksum of `bytes`; FFFF for none.
  public static func checksum(_ bytes: Span<UInt8>) -> UInt16 {
    var register: UInt16 = 0xFFFF
    var index = 0
    while index &+ 8 <= bytes.count {
      let low = register ^ UInt16(bytes[index]) ^ UInt16(bytes[index &+ 1]) << 8
      register =
        tables[7 &* 256 &+ Int(low & 0xFF)] ^ tables[6 &* 256 &+ Int(low >> 8)]
        ^ tables[5 &* 256 &+ Int(bytes[index &+ 2])] ^ tables[4 &* 256 &+ Int(bytes[index &+ 3])]
        ^ tables[3 &* 256 &+ Int(bytes[index &+ 4])] ^ tables[2 &* 256 &+ Int(bytes[index &+ 5])]
        ^ tables[256 &+ Int(bytes[index &+ 6])] ^ tables[Int(bytes[index &+ 7])]
      index &+= 8
    }
    while index < bytes.count {
      register = register >> 8 ^ tables[Int((register ^ UInt16(bytes[index])) & 0xFF)]
      index &+= 1
    }
    return reversed(register)
  }

  /// Table n, at 256 n, holds the register after one byte and n zero bytes.
  private static let tables: InlineArray<2048, UInt16> = {
    var tables = InlineArray<2048, UInt16>(repeating: 0)
    for byte in 0..<256 {
      var register = UInt16(byte)
      for _ in 0..<8 { register = register & 1 == 1 ? register >> 1 ^ 0x8408 : register >> 1 }
      tables[byte] = register
    }
    for entry in 256..<2048 {
      let before = tables[entry - 256]
      tables[entry] = before >> 8 ^ tables[Int(before & 0xFF)]
    }
    return tables
  }()

  private static func reversed(_ value: UInt16) -> UInt16 {
    var bits = value
    bits = bits >> 1 & 0x5555 | (bits & 0x5555) << 1
    bits = bits >> 2 & 0x3333 | (bits & 0x3333) << 2
    bits = bits >> 4 & 0x0F0F | (bits & 0x0F0F) << 4
    return bits >> 8 | bits << 8
  }
}
