// SPDX-License-Identifier: Apache-2.0

extension Unicode.Scalar {
  /// True for an ASCII letter, a digit and a dash, which every address, header and name may have.
  package var isPlain: Bool {
    switch self {
    case "A"..."Z", "a"..."z", "0"..."9", "-": true
    default: false
    }
  }
}

extension UInt8 {
  package var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  /// True for a character allowed in the name of a header (RFC 9110, 5.6.2).
  package var isTokenCharacter: Bool { Unicode.Scalar(self).isPlain || "!#$%&'*+.^_`|~".utf8.contains(self) }
}
