// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Functions of the C library for the risk scores.
enum Logarithm {
  static func natural(_ value: Double) -> Double { log(value) }

  static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
}
