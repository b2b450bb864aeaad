// SPDX-License-Identifier: Apache-2.0

/// The checksum of each region of the memory (Libre1Core/MemoryFormat, "Checksum").
///
/// Whole words go through `SparseRemainder`, the remaining bytes bit by bit as the definition says.
package enum CRC16 {
  /// FFFF for no bytes.
  package static func checksum(_ bytes: Span<UInt8>) -> UInt16 {
    var register = initialValue
    var index = 0
    if bytes.count >= 8 {
      register = self.register(after: bytes.word(at: 0) ^ UInt64(register), andWordsFollowingItIn: bytes)
      index = bytes.count & ~7
    }
    while index < bytes.count {
      register ^= UInt16(bytes[index])
      for _ in 0..<8 { register = register & 1 == 1 ? register >> 1 ^ 0x8408 : register >> 1 }
      index &+= 1
    }
    return reversed(register)
  }

  /// The checksum of a region after its first two bytes, which store it. Zeros before a message do not change its
  /// remainder: the two bytes count as zero, and the region stays whole words.
  @inline(__always) static func checksum(ofRegion bytes: Span<UInt8>) -> UInt16 {
    let first = (bytes.word(at: 0) &>> 16 ^ UInt64(initialValue)) &<< 16
    return reversed(register(after: first, andWordsFollowingItIn: bytes))
  }

  /// The register after `first`, which replaces the first word of `bytes`, and the words that follow.
  @inline(__always) private static func register(after first: UInt64, andWordsFollowingItIn bytes: Span<UInt8>)
    -> UInt16
  {
    var remainder = SparseRemainder()
    remainder.append(first)
    var index = 8
    while index &+ 8 <= bytes.count {
      remainder.append(bytes.word(at: index))
      index &+= 8
    }
    return remainder.timesX16
  }

  private static let initialValue: UInt16 = 0xFFFF

  private static func reversed(_ value: UInt16) -> UInt16 {
    var bits = value
    bits = bits >> 1 & 0x5555 | (bits & 0x5555) << 1
    bits = bits >> 2 & 0x3333 | (bits & 0x3333) << 2
    bits = bits >> 4 & 0x0F0F | (bits & 0x0F0F) << 4
    return bits >> 8 | bits << 8
  }
}
