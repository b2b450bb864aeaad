// SPDX-License-Identifier: Apache-2.0

/// Numbers as written by people and their programs.
enum DecimalNumber {
  /// Returns the value of digits with at most one point or comma; nil for any other text, also with a sign or an
  /// exponent.
  static func value(of text: some StringProtocol) -> Double? {
    guard (1...32).contains(text.utf8.count) else { return nil }
    var digits = ""
    var hasPoint = false
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits.unicodeScalars.append(Unicode.Scalar(byte))
      case UInt8(ascii: "."), UInt8(ascii: ","):
        guard !hasPoint, !digits.isEmpty else { return nil }
        hasPoint = true
        digits += "."
      default: return nil
      }
    }
    return digits.hasSuffix(".") ? nil : Double(digits)
  }
}
