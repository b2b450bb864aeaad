// SPDX-License-Identifier: Apache-2.0

/// Bytes as hex digits and back, without Foundation.
package enum HexText {
  /// Returns upper-case digits, two per byte, with `separator` between bytes.
  ///
  /// Inlined into the caller, since it is generic; the digits are written by code that is not.
  @inlinable package static func string(of bytes: some Sequence<UInt8>, separator: String = "") -> String {
    string(of: Array(bytes), separator: separator)
  }

  package static func string(of bytes: [UInt8], separator: String = "") -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * (2 + separator.utf8.count))
    if separator.isEmpty {
      append(bytes, to: &text)
    } else {
      for byte in bytes {
        if !text.isEmpty { text += separator.utf8 }
        text.append(digit(byte >> 4))
        text.append(digit(byte & 15))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  package static func lowercase(of bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(2 * bytes.count)
    append(bytes, to: &text)
    // Digits already have the bit that makes a letter lower-case.
    for index in text.indices { text[index] |= 0x20 }
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends upper-case digits, two per byte, to a text.
  package static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
    var position = text.count
    // An array is appended at once, a repeated element one by one.
    text += [UInt8](repeating: 0, count: 2 * bytes.count)
    var digits = text.mutableSpan
    for byte in bytes {
      digits[position] = digit(byte >> 4)
      digits[position + 1] = digit(byte & 15)
      position += 2
    }
  }

  /// Returns a number as upper-case digits, padded to its full width: `C262`.
  package static func string(of number: some FixedWidthInteger) -> String {
    let short = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, number.bitWidth / 4 - short.count)) + short
  }

  /// Returns the bytes of hex digits in either case; spaces, colons and dashes between digits are ignored.
  ///
  /// The result is nil if there is any other character, an odd number of digits, or no digit.
  package static func bytes(of text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count / 2)
    var high: UInt8?
    // In place, because a string's characters are slow one by one.
    var text = text
    let isHex = text.withUTF8 { characters in
      for character in characters {
        if let value = nibble(character) {
          if let first = high {
            bytes.append(first << 4 | value)
            high = nil
          } else {
            high = value
          }
        } else if !isSeparator(character) {
          return false
        }
      }
      return true
    }
    return !isHex || bytes.isEmpty || high != nil ? nil : bytes
  }

  /// Returns the value of one ASCII hex digit, or nil.
  @inlinable package static func nibble(_ ascii: UInt8) -> UInt8? {
    // Two comparisons, because searches ask this of every byte of a file.
    let digit = ascii &- UInt8(ascii: "0")
    if digit < 10 { return digit }
    let letter = (ascii | 0x20) &- UInt8(ascii: "a")
    return letter < 6 ? letter + 10 : nil
  }

  static func digit(_ nibble: UInt8) -> UInt8 {
    nibble + (nibble < 10 ? UInt8(ascii: "0") : UInt8(ascii: "A") - 10)
  }

  private static func isSeparator(_ character: UInt8) -> Bool {
    switch character {
    case UInt8(ascii: " "), UInt8(ascii: ":"), UInt8(ascii: "-"): true
    default: false
    }
  }
}
