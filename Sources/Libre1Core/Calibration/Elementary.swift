// SPDX-License-Identifier: Apache-2.0

/// Logarithm and power of two as straight-line arithmetic, for loops that the compiler can run several lanes at a time.
///
/// The platform's own functions cost a call each and may differ in the last bit from machine to machine; these give the
/// same bits everywhere. The tests hold them against the platform's over the range a sensor can reach.
enum Elementary {
  /// Natural logarithm of a positive, finite, normal number; meaningless but harmless for others.
  static func log(_ x: Double) -> Double {
    // x = 2^k m with m in [√½, √2), so that the series below runs over ±0.172 only.
    let shifted = x.bitPattern &- halfRootOfTwo
    let k = Double(Int64(bitPattern: shifted) >> 52)
    let m = Double(bitPattern: x.bitPattern &- shifted & 0xFFF0_0000_0000_0000)
    // ln m = 2 atanh e, with e = (m − 1) / (m + 1).
    let e = (m - 1) / (m + 1)
    let s = e * e
    var sum = 2.0 / 17
    sum = sum * s + 2.0 / 15
    sum = sum * s + 2.0 / 13
    sum = sum * s + 2.0 / 11
    sum = sum * s + 2.0 / 9
    sum = sum * s + 2.0 / 7
    sum = sum * s + 2.0 / 5
    sum = sum * s + 2.0 / 3
    sum = sum * s + 2
    return k * naturalLogOfTwo + e * sum
  }

  /// Two to the power of x, for |x| under 1000; meaningless but harmless outside.
  static func exp2(_ x: Double) -> Double {
    // x = n + f with f in [−½, ½]: adding 1.5 · 2^52 leaves n in the low bits of the sum.
    let rounded = x + roundingShift
    let z = (x - (rounded - roundingShift)) * naturalLogOfTwo
    var sum = 1.0 / 479_001_600
    sum = sum * z + 1.0 / 39_916_800
    sum = sum * z + 1.0 / 3_628_800
    sum = sum * z + 1.0 / 362_880
    sum = sum * z + 1.0 / 40_320
    sum = sum * z + 1.0 / 5_040
    sum = sum * z + 1.0 / 720
    sum = sum * z + 1.0 / 120
    sum = sum * z + 1.0 / 24
    sum = sum * z + 1.0 / 6
    sum = sum * z + 0.5
    sum = sum * z + 1
    sum = sum * z + 1
    return Double(bitPattern: sum.bitPattern &+ rounded.bitPattern << 52)
  }

  private static let naturalLogOfTwo = 0.693_147_180_559_945_3
  private static let roundingShift = 6_755_399_441_055_744.0
  /// The bits of √½.
  private static let halfRootOfTwo: UInt64 = 0x3FE6_A09E_667F_3BCD
}
