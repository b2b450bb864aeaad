// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// Text inside addresses (RFC 3986).
package enum PercentEncoding {
  /// Encodes a part of a path or a query value: all but the unreserved characters are encoded, such as `%20`.
  package static func encoded(_ text: String) -> String { encoded(text.utf8) }

  /// Encodes bytes that need not be UTF-8, such as those of a file's name.
  package static func encoded(_ bytes: some Sequence<UInt8>) -> String {
    var result = ""
    for byte in bytes {
      switch Unicode.Scalar(byte) {
      case "A"..."Z", "a"..."z", "0"..."9", "-", ".", "_", "~": result.unicodeScalars.append(Unicode.Scalar(byte))
      default: result += "%\(HexText.string(of: byte))"
      }
    }
    return result
  }

  /// Decodes `%5B`, and leaves a `%` that two hex digits do not follow. In a `query` a plus is a space.
  package static func decoded(_ text: ArraySlice<UInt8>, isQuery: Bool = false) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var rest = text
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let decoded = LineNumber.byte(rest.prefix(2)) {
        bytes.append(decoded)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(isQuery && byte == UInt8(ascii: "+") ? 0x20 : byte)
      }
    }
    return bytes
  }
}

/// Base64 of RFC 4648.
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

  /// Returns base64 for addresses, with their alphabet and without padding.
  package static func encodedForAddress(_ bytes: [UInt8]) -> String {
    encoded(bytes).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// Reads the usual alphabet or that of addresses, with or without padding and white space; nil for other or empty text.
  package static func bytes(of text: some Sequence<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    // The bits that are not yet in a byte, and their number.
    var (bits, count) = (0, 0)
    var hasEnded = false
    for character in text where !TextLine.isSpace(character) {
      if character == UInt8(ascii: "=") {
        hasEnded = true
        continue
      }
      guard !hasEnded, let digit = value(of: character) else { return nil }
      bits = (bits << 6 | digit) & 0xFFF
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> count))
    }
    // One character alone is less than a byte.
    return bytes.isEmpty || count == 6 ? nil : bytes
  }

  private static func value(of character: UInt8) -> Int? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(character - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(character - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(character - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
