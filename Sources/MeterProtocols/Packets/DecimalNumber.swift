// SPDX-License-Identifier: Apache-2.0

/// A decimal number as a meter sends it: an integer times a power of ten. It stays exact until its unit is known.
package struct DecimalNumber: Hashable, Sendable, CustomStringConvertible {
  /// Integer in front of the power of ten; −2048…2047 in packets.
  package let mantissa: Int
  /// Power of ten; −8…7 in packets.
  package let exponent: Int

  package init(mantissa: Int, exponent: Int) {
    self.mantissa = mantissa
    self.exponent = exponent
  }

  /// The same digits times ten to the power of `places`, without rounding: `59·10⁻⁴` by 3 places is 5.9.
  package func shifted(by places: Int) -> DecimalNumber {
    DecimalNumber(mantissa: mantissa, exponent: exponent + places)
  }

  /// The nearest `Double`. One multiplication or division by an exact power of ten, so that 5.9 is the literal 5.9.
  package var value: Double {
    exponent < 0 ? Double(mantissa) / Self.powerOfTen(-exponent) : Double(mantissa) * Self.powerOfTen(exponent)
  }

  /// All digits as sent, without an exponent: `5.9`, `-0.1`, `20470`, `120.0`.
  package var description: String {
    let sign = mantissa < 0 ? "-" : ""
    let digits = String(mantissa.magnitude)
    let (places, zeros) = (max(0, -Self.bounded(exponent)), max(0, Self.bounded(exponent)))
    if places == 0 { return sign + digits + (mantissa == 0 ? "" : String(repeating: "0", count: zeros)) }
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    return "\(sign)\(padded.dropLast(places)).\(padded.suffix(places))"
  }

  /// Exponents far outside those of a packet do not occur; they must not build endless text either.
  private static func bounded(_ exponent: Int) -> Int { min(max(exponent, -30), 30) }

  /// Powers up to 22 are exact in a `Double`.
  private static func powerOfTen(_ exponent: Int) -> Double {
    (0..<bounded(exponent)).reduce(1) { power, _ in power * 10 }
  }
}
