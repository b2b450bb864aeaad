// SPDX-License-Identifier: Apache-2.0

/// Numbers as people and their programs write them.
enum DecimalNumber {
  /// Digits with at most one point or comma among them; nil for anything else, a sign or an exponent among it.
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
