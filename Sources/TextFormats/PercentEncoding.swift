// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// Text inside addresses (RFC 3986).
package enum PercentEncoding {
  /// Returns the text with all but the unreserved characters encoded, such as `%20`, for a part of a path or a query
  /// value.
  package static func encoded(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default: result += "%\(HexText.string(of: byte))"
      }
    }
    return result
  }
}
