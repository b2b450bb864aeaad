// SPDX-License-Identifier: Apache-2.0

/// SFLOAT: a decimal number in 16 bits, or one of five special values (IEEE 11073-20601; Bluetooth SIG, Personal Health Devices
/// Transcoding White Paper, 2.2.2).
///
/// The lower 12 bits are the mantissa, the upper 4 the exponent, both in two's complement. A special value is a **whole
/// word**: `07FF` is not a number, but `17FF` is 20470.
package struct ShortFloat: Hashable, Sendable {
  /// The 16 bits as sent.
  package let word: UInt16

  package init(word: UInt16) { self.word = word }

  /// The words that are not numbers.
  package enum Special: UInt16, Hashable, Sendable, CaseIterable {
    case notANumber = 0x07FF
    /// The number does not fit the resolution.
    case notAtThisResolution = 0x0800
    case positiveInfinity = 0x07FE
    case negativeInfinity = 0x0802
    case reserved = 0x0801
  }

  /// The special value; nil for a number.
  package var special: Special? { Special(rawValue: word) }

  /// The number; nil for a special value.
  package var number: DecimalNumber? {
    guard special == nil else { return nil }
    let mantissa = Int(Int16(bitPattern: word << 4) >> 4)
    let exponent = Int(Int16(bitPattern: word) >> 12)
    return DecimalNumber(mantissa: mantissa, exponent: exponent)
  }
}
