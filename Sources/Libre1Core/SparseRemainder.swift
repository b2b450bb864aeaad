// SPDX-License-Identifier: Apache-2.0

/// The remainder of a message after division by the polynomial 1021, computed word by word without tables.
///
/// The polynomial has few terms: x^16 = x^12 + x^5 + 1. Squaring keeps this form (mixed terms occur twice and cancel),
/// so with u = 1, 2, 4, 8 or 16 and bits in units of u also
///
///     x^16u = x^12u + x^5u + 1
///
/// and bits that are 16 units too high may be moved to three lower places. With u = 16 this removes one word of 64 bits
/// from the top of 256 with three XORs, whose places do not reach the top again.
///
/// Bits are numbered as the sensor feeds them: the lowest bit of a word has the highest power, so times x is `>> 1`.
struct SparseRemainder {
  // 256 bits, highest powers first. They are congruent to the message so far, but not yet reduced by the polynomial.
  private var a: UInt64 = 0
  private var b: UInt64 = 0
  private var c: UInt64 = 0
  private var d: UInt64 = 0

  @inline(__always) mutating func append(_ word: UInt64) {
    // The bits of `a` are now x^256 too high: they move to x^192 (`b`), x^80 (across the border of `c` and `d`) and 1.
    (a, b, c, d) = (b ^ a, c ^ a << 48, d ^ a >> 16, word ^ a)
  }

  /// The remainder of the message followed by 16 zero bits, which is the content of a checksum register.
  @inline(__always) var timesX16: UInt16 {
    let word = Self.raised(Self.raised(Self.raised(a) ^ b) ^ c) ^ d
    let half = Self.raised(UInt32(truncatingIfNeeded: word)) ^ UInt32(truncatingIfNeeded: word >> 32)
    return Self.raised(
      Self.raised(UInt16(truncatingIfNeeded: half)) ^ UInt16(truncatingIfNeeded: half >> 16))
  }

  /// `high` times x^n for its n bits, reduced to n bits: the same rule with u = n / 16.
  @inline(__always) private static func raised<Bits: FixedWidthInteger & UnsignedInteger>(_ high: Bits) -> Bits {
    let unit = Bits(truncatingIfNeeded: Bits.bitWidth / 16)
    // Times x^12u and times x^5u move 12u and 5u bits above the top; these are added again until no bit is left.
    var all = high ^ (high &<< (4 &* unit))
    all ^= high &<< (8 &* unit)
    all ^= high &<< (12 &* unit)
    all ^= high &<< (11 &* unit)
    let lowered = (all &>> (12 &* unit)) ^ (all &>> (5 &* unit))
    return all ^ lowered
  }
}
