// SPDX-License-Identifier: Apache-2.0

/// Logarithm and power of two as arithmetic without branches, so that the compiler can vectorize loops over them.
///
/// The platform's functions need a call each and may differ in the last bit between machines; these give the same bits
/// everywhere. The tests compare them with the platform's over the range that a sensor can reach.
enum ElementaryFunctions {
  /// The natural logarithm of x / y, both positive, finite and normal; for other numbers the result has no
  /// meaning, but nothing traps. It divides only once, which a division followed by a logarithm would do twice.
  @inline(__always) static func log(ofQuotient x: Double, by y: Double) -> Double {
    // 2^k y is the multiple of y nearest to x, found from the bits, so that x / 2^k y is in 2/3 … 3/2.
    let distance = x.bitPattern &- y.bitPattern &+ half
    let k = Double(Int32(truncatingIfNeeded: distance &>> 32) &>> 20)
    let near = Double(bitPattern: y.bitPattern &+ distance & exponentAndSign)
    // ln(x / near) = 2 atanh e, with e = (x − near) / (x + near) in −⅕ … ⅕.
    let e = (x - near) / (x + near)
    // Even and odd terms are summed separately: two short chains of operations instead of a long one.
    let s = e * e
    let t = s * s
    let even = cubic(t, 2.0 / 17, 2.0 / 13, 2.0 / 9, 2.0 / 5) * t + 2
    let odd = cubic(t, 2.0 / 19, 2.0 / 15, 2.0 / 11, 2.0 / 7) * t + 2.0 / 3
    let sum = even + odd * s
    return k * naturalLogOfTwo + e * sum
  }

  /// Two to the power of x for |x| under 1000; outside the result has no meaning, but nothing traps.
  @inline(__always) static func exp2(_ x: Double) -> Double {
    // x = n + f with f in [−½, ½]: adding 1.5 · 2^52 leaves n in the low bits of the sum.
    let rounded = x + roundingShift
    // 2^f = (e^z)^2: half the exponent needs fewer terms of the series.
    let z = (x - (rounded - roundingShift)) * (naturalLogOfTwo / 2)
    let zz = z * z
    let even = cubic(zz, 1.0 / 3_628_800, 1.0 / 40_320, 1.0 / 720, 1.0 / 24) * zz + 0.5
    let odd = cubic(zz, 1.0 / 362_880, 1.0 / 5_040, 1.0 / 120, 1.0 / 6)
    let root = (even + odd * z) * zz + z + 1
    return Double(bitPattern: (root * root).bitPattern &+ rounded.bitPattern << 52)
  }

  /// a x³ + b x² + c x + d
  @inline(__always) private static func cubic(
    _ x: Double, _ a: Double, _ b: Double, _ c: Double, _ d: Double
  ) -> Double {
    ((a * x + b) * x + c) * x + d
  }

  static let naturalLogOfTwo = 0.693_147_180_559_945_3
  private static let roundingShift = 6_755_399_441_055_744.0
  /// Half a step of the exponent, as an integer with the number's bits.
  private static let half: UInt64 = 0x0008_0000_0000_0000
  private static let exponentAndSign: UInt64 = 0xFFF0_0000_0000_0000
}
