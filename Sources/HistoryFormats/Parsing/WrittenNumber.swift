// SPDX-License-Identifier: Apache-2.0

/// Numbers as written by people and their programs.
enum WrittenNumber {
  /// Returns the value of digits with at most one point or comma and perhaps an exponent, as in `104`, `5,8` and
  /// `1.2e2`; nil for any other text, also with a sign.
  static func value(of text: some StringProtocol) -> Double? {
    guard (1...32).contains(text.utf8.count) else { return nil }
    let parts = text.utf8.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 | 0x20 == UInt8(ascii: "e") }
    var digits = ""
    var hasPoint = false
    for byte in parts[0] {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits.unicodeScalars.append(Unicode.Scalar(byte))
      case UInt8(ascii: "."), UInt8(ascii: ","):
        guard !hasPoint, !digits.isEmpty else { return nil }
        hasPoint = true
        digits += "."
      default: return nil
      }
    }
    if digits.isEmpty || digits.hasSuffix(".") { return nil }
    guard parts.count > 1 else { return Double(digits) }
    let isSigned = parts[1].first.map("+-".utf8.contains) ?? false
    let exponent = isSigned ? parts[1].dropFirst() : parts[1]
    guard (1...2).contains(exponent.count), exponent.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Double("\(digits)e\(String(decoding: parts[1], as: UTF8.self))")
  }
}
