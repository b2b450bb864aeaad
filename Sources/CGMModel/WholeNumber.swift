// SPDX-License-Identifier: Apache-2.0

extension Int {
  /// The whole part of a number: the end of Int's range for a number beyond it, and 0 for NaN.
  ///
  /// `Int(_:)` ends the program for such a number, which a damaged file or another program may hold. So the lint refuses
  /// it everywhere else; `Int(exactly:)` is for numbers that have to be whole.
  @inlinable package init(saturating value: Double) {
    // Doubles below 2^63 and from -2^63 on have a whole part that Int can hold.
    let end = 0x1p63
    if value >= -end, value < end {
      self.init(value)
    } else {
      self = value >= end ? .max : value < 0 ? .min : 0
    }
  }
}

extension Int {
  /// The digits of a number that is not negative, in groups of three: `5,000`.
  package var grouped: String {
    self < 1_000 ? "\(self)" : (self / 1_000).grouped + "," + String("\(self % 1_000 + 1_000)".dropFirst())
  }
}
