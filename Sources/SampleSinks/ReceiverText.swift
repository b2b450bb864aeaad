// SPDX-License-Identifier: Apache-2.0
import TextFormats

/// A receiver's own words, as a reason shows them and the store keeps them: short, printable, and without any secret
/// that a server may echo.
enum ReceiverText {
  /// Characters of a reason.
  static let limit = 300
  /// What is looked at: far more than is shown, far less than a server may send.
  private static let lookedAt = 8_192

  static func shown(_ bytes: some RandomAccessCollection<UInt8>, hiding secrets: [Secret]) -> String {
    // The longest first: one may be a part of another.
    let forms = secrets.flatMap(Self.forms).sorted { $0.count > $1.count }
    var text = replacing(forms, in: Array(bytes.prefix(lookedAt)))
    // Where it was cut, the beginning of a secret may be left.
    if bytes.count > lookedAt, let longest = forms.first { text.removeLast(min(longest.count, text.count)) }
    return SafeText.condensed(String(decoding: text, as: UTF8.self), limit: limit)
  }

  /// As it is, as JSON writes it, and as an address does; in small letters.
  private static func forms(_ secret: Secret) -> [[UInt8]] {
    let text = secret.revealed()
    guard !text.isEmpty else { return [] }
    var json = JSONWriter(indented: false)
    json.string(text)
    return [Array(text.utf8), Array(json.bytes.dropFirst().dropLast()), Array(PercentEncoding.encoded(text).utf8)]
      .map { $0.map(lowered) }
  }

  /// Capitals make no difference: a server may write hex digits in its own way.
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
