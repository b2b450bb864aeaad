// SPDX-License-Identifier: Apache-2.0

/// A text of at most 255 bytes, stored without heap memory, so that the decoder can name an error where no heap exists.
///
/// It is written as a string with interpolations. Only text from the program and numbers can be interpolated, so the
/// bytes are UTF-8. What does not fit is cut off.
package struct FixedText: Sendable, ExpressibleByStringInterpolation {
  private var bytes = InlineArray<255, UInt8>(repeating: 0)
  package private(set) var count = 0

  package init(stringLiteral text: StaticString) { append(text) }

  package init(stringInterpolation interpolation: Interpolation) { self = interpolation.text }

  /// 0…`count` − 1.
  package subscript(index: Int) -> UInt8 { bytes[index] }

  package struct Interpolation: StringInterpolationProtocol {
    fileprivate var text = FixedText(stringLiteral: "")

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ literal: StaticString) { text.append(literal) }

    package mutating func appendInterpolation(_ literal: StaticString) { text.append(literal) }

    package mutating func appendInterpolation(_ number: Int) {
      var divisor = 1
      while number / divisor > 9 || number / divisor < -9 { divisor *= 10 }
      if number < 0 { text.append(UInt8(ascii: "-")) }
      while divisor > 0 {
        text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: (number / divisor % 10).magnitude))
        divisor /= 10
      }
    }

    /// Appends a number as upper-case digits, padded to its full width: `C262`.
    package mutating func appendInterpolation<Number: FixedWidthInteger & UnsignedInteger>(hex number: Number) {
      for digit in (0..<Number.bitWidth / 4).reversed() {
        text.append(HexText.digit(UInt8(truncatingIfNeeded: number >> Number(4 * digit) & 15)))
      }
    }
  }

  private mutating func append(_ text: StaticString) {
    for index in 0..<text.utf8CodeUnitCount { append(text.utf8Start[index]) }
  }

  private mutating func append(_ byte: UInt8) {
    guard count < bytes.count else { return }
    bytes[count] = byte
    count += 1
  }
}

extension FixedText: CustomStringConvertible {
  package var description: String { String(decoding: (0..<count).map { bytes[$0] }, as: UTF8.self) }
}
