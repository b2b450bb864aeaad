// SPDX-License-Identifier: Apache-2.0

/// Little-endian numbers inside a memory. Offsets come from `MemoryMap`, so none is outside.
///
/// They are asked of a span, not of `FRAM`: the compiler copies an inline array that is part of a value before it takes
/// one element out, 344 bytes for the sake of one.
extension Span<UInt8> {
  @inline(__always) func byte(_ offset: Int) -> UInt8 { self[offset] }

  @inline(__always) func short(at offset: Int) -> UInt16 { UInt16(self[offset]) | UInt16(self[offset &+ 1]) << 8 }

  /// The number of the eight bytes at `offset`.
  @inline(__always) func word(at offset: Int) -> UInt64 {
    let bytes = extracting(offset..<offset &+ 8)
    // Spelt out so that the compiler sees one load.
    let low = UInt64(bytes[0]) | UInt64(bytes[1]) << 8 | UInt64(bytes[2]) << 16 | UInt64(bytes[3]) << 24
    let high = UInt64(bytes[4]) | UInt64(bytes[5]) << 8 | UInt64(bytes[6]) << 16 | UInt64(bytes[7]) << 24
    return low | high << 32
  }

  /// The 48 bits of the record at `offset`; no record is so near the end that eight bytes could not be read.
  @inline(__always) func recordBits(at offset: Int) -> UInt64 { word(at: offset) & 0xFFFF_FFFF_FFFF }

  @inline(__always) func value(of field: BitField) -> Int { field.value(in: word(at: field.offset)) }
}
