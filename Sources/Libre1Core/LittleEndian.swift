// SPDX-License-Identifier: Apache-2.0

/// Little-endian numbers at offsets from `MemoryMap`, so never outside. Read from a span, not from `FRAM`, because the
/// compiler copies an inline array that is part of a value, 344 bytes, before it reads one element.
extension Span<UInt8> {
  @inline(__always) func byte(_ offset: Int) -> UInt8 { self[offset] }

  @inline(__always) func short(at offset: Int) -> UInt16 { UInt16(self[offset]) | UInt16(self[offset &+ 1]) << 8 }

  @inline(__always) func word(at offset: Int) -> UInt64 {
    let bytes = extracting(offset..<offset &+ 8)
    // Written out so that the compiler makes one load of it.
    let low = UInt64(bytes[0]) | UInt64(bytes[1]) << 8 | UInt64(bytes[2]) << 16 | UInt64(bytes[3]) << 24
    let high = UInt64(bytes[4]) | UInt64(bytes[5]) << 8 | UInt64(bytes[6]) << 16 | UInt64(bytes[7]) << 24
    return low | high << 32
  }

  /// The 48 bits of the record at `offset`; after every record two more bytes can be read.
  @inline(__always) func recordBits(at offset: Int) -> UInt64 { word(at: offset) & 0xFFFF_FFFF_FFFF }

  @inline(__always) func value(of field: BitField) -> Int { field.value(in: word(at: field.offset)) }
}
