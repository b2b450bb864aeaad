// SPDX-License-Identifier: Apache-2.0

/// Bytes as hex digits and back, without Foundation.
public enum HexText {
  /// Returns upper-case digits, two per byte, with `separator` between bytes.
  public static func string(of bytes: some Sequence<UInt8>, separator: String = "") -> String {
    var text: [UInt8] = []
    for byte in bytes {
      if !text.isEmpty { text += separator.utf8 }
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns a number as upper-case digits, padded to its full width: `C262`.
  public static func string(of number: some FixedWidthInteger) -> String {
    let short = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, number.bitWidth / 4 - short.count)) + short
  }

  /// Returns the bytes of hex digits in either case; spaces, colons and dashes between digits are ignored.
  ///
  /// The result is nil if there is any other character, an odd number of digits, or no digit.
  public static func bytes(of text: String) -> [UInt8]? {
    var nibbles: [UInt8] = []
    for character in text.utf8 {
      if let value = nibble(character) {
        nibbles.append(value)
      } else if !separators.contains(character) {
        return nil
      }
    }
    guard !nibbles.isEmpty, nibbles.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
  }

  /// Returns the value of one ASCII hex digit, or nil.
  public static func nibble(_ ascii: UInt8) -> UInt8? {
    switch ascii {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): ascii - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): ascii - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): ascii - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  private static let digits = Array("0123456789ABCDEF".utf8)
  private static let separators = Array(" :-".utf8)
}
