// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// Text inside addresses (RFC 3986).
package enum PercentEncoding {
  /// Encodes a part of a path or a query value: all but the unreserved characters are encoded, such as `%20`.
  package static func encoded(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      switch Unicode.Scalar(byte) {
      case "A"..."Z", "a"..."z", "0"..."9", "-", ".", "_", "~": result.unicodeScalars.append(Unicode.Scalar(byte))
      default: result += "%\(HexText.string(of: byte))"
      }
    }
    return result
  }
}

/// Base64 of RFC 4648, with padding.
package enum Base64Text {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  package static func encoded(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for digit in 0..<4 {
        text.append(digit <= group.count ? alphabet[bits >> (18 - 6 * digit) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
