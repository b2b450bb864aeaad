// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// A text from a server, as it may be kept and shown: short, printable, and without secrets that the server may echo.
package enum ReceivedText {
  package static let maximumCharacters = 300
  /// Maximum bytes that are read: far more than are shown, far fewer than a server may send.
  private static let maximumBytes = 8_192

  package static func shown(_ bytes: some RandomAccessCollection<UInt8>, hiding secrets: [String]) -> String {
    // Longest first: a secret may be part of another one.
    let forms = secrets.flatMap(Self.forms).sorted { $0.count > $1.count }
    var text = replacing(forms, in: Array(bytes.prefix(maximumBytes)))
    // The cut may leave the beginning of a secret.
    if bytes.count > maximumBytes, let longest = forms.first { text.removeLast(min(longest.count, text.count)) }
    return SafeText.condensed(String(decoding: text, as: UTF8.self), limit: maximumCharacters)
  }

  /// Texts that show a secret, or stand for it, in lower case: the text plain, in JSON, percent-encoded and backwards,
  /// and in hex and base64 the text and the hashes by which servers know a secret, of which Nightscout accepts one.
  private static func forms(_ text: String) -> [[UInt8]] {
    guard !text.isEmpty else { return [] }
    let json = JSONWriter.line { $0.string(text) }
    let plain = Array(text.utf8)
    let written = [plain, HashFunction.sha1.digest(of: plain), HashFunction.sha256.digest(of: plain)].flatMap { bytes in
      let base64 = Base64Text.encoded(bytes)
      let address = base64.replacing("+", with: "-").replacing("/", with: "_")
      return [HexText.lowercase(of: bytes)] + [base64, address].flatMap { [$0, $0.replacing("=", with: "")] }
    }
    let texts = [PercentEncoding.encoded(text), String(text.reversed())] + written
    let forms = [plain, Array(json.dropFirst().dropLast())] + texts.map { Array($0.utf8) }
    return forms.map { $0.map(lowered) }
  }

  /// Ignores case: a server may write hex digits in either case.
  private static func replacing(_ forms: [[UInt8]], in text: [UInt8]) -> [UInt8] {
    guard !forms.isEmpty else { return text }
    let folded = text.map(lowered)
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var position = 0
    while position < text.count {
      if let form = forms.first(where: { $0[0] == folded[position] && folded[position...].starts(with: $0) }) {
        result += "(secret)".utf8
        position += form.count
      } else {
        result.append(text[position])
        position += 1
      }
    }
    return result
  }

  private static func lowered(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}

/// Checks of values that a server creates and we send back to it.
package enum ReceivedName {
  /// True for a text that is safe in an address: ASCII letters, digits, dashes and underscores, at most 128.
  package static func isIdentifier(_ text: String) -> Bool {
    (1...128).contains(text.utf8.count) && text.unicodeScalars.allSatisfy { $0.isPlain || $0 == "_" }
  }

  /// True for a text that is safe in a header: printable ASCII without spaces, at most 4096 characters.
  package static func isToken(_ text: String) -> Bool {
    (1...4096).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}
