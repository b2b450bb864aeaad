// SPDX-License-Identifier: Apache-2.0

/// Sebastiano Vigna's SplitMix64: the same numbers for the same seed, on every machine and with every Swift.
/// The n-th number depends only on the seed and n, so that a simulated sensor can compute the values of a minute
/// without drawing all earlier ones.
package struct SplitMix64: RandomNumberGenerator, Hashable, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= Self.increment
    return Self.mixed(state)
  }

  package func word(at index: Int) -> UInt64 {
    Self.mixed(state &+ Self.increment &* (UInt64(truncatingIfNeeded: index) &+ 1))
  }

  /// It uses the remainder, which prefers small numbers by less than one in
  /// 2⁴⁰ for ranges as short as a sensor's.
  package func integer(in range: ClosedRange<Int>, at index: Int) -> Int {
    range.lowerBound + Int(word(at: index) % UInt64(range.count))
  }

  /// Number in 0..<1.
  package func fraction(at index: Int) -> Double { Double(word(at: index) >> 11) * 0x1p-53 }

  /// Another generator, independent of this one for all practical purposes.
  package func branch(_ label: Int) -> SplitMix64 { SplitMix64(seed: word(at: label)) }

  private static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15

  private static func mixed(_ word: UInt64) -> UInt64 {
    var z = word
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }
}
