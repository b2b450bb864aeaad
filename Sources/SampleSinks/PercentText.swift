// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// Text inside addresses.
enum PercentText {
  /// Everything but RFC 3986's unreserved characters as `%20`, fit for a part of a path or a value in a query.
  static func encoded(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      let scalar = Unicode.Scalar(byte)
      if scalar.isPlain || "._~".unicodeScalars.contains(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        result += "%\(HexText.string(of: [byte]))"
      }
    }
    return result
  }
}
