// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The two functions of the C library that the risk scores need.
enum Logarithm {
  static func natural(_ value: Double) -> Double { log(value) }

  static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
}
