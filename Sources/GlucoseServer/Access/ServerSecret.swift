// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// The secret that clients must know, in every form in which they send it.
package struct ServerSecret: Sendable {
  /// Minimum length in bytes, as in Nightscout: shorter secrets can be guessed.
  package static let minimumLength = 12

  private let text: [UInt8]
  private let hashes: [[UInt8]]
  private let key: [UInt8]

  package init?(_ text: String) {
    guard text.utf8.count >= Self.minimumLength else { return nil }
    self.text = Array(text.utf8)
    hashes = [HashFunction.sha1, .sha512].map { [text = self.text] in Array($0.hex(of: text).utf8) }
    // Not the secret itself: what signs tokens must not be what clients send.
    key = HashFunction.sha256.digest(of: Array("libre serve token/".utf8) + self.text)
  }

  /// The form that most clients send in the header `api-secret`: SHA-1 in lower-case hex.
  var sha1: String { String(decoding: hashes[0], as: UTF8.self) }

  /// True of the secret itself, and of its SHA-1 or SHA-512 in hex of any case. `token=` may stand before it. The time
  /// that it takes does not depend on how much of a wrong one is right.
  func matches(_ candidate: String) -> Bool {
    let prefix = "token="
    let bytes = Array((candidate.hasPrefix(prefix) ? candidate.dropFirst(prefix.count) : candidate[...]).utf8)
    let lowercase = bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    var isEqual = bytes.equalsInConstantTime(text)
    for hash in hashes where lowercase.equalsInConstantTime(hash) { isEqual = true }
    return isEqual
  }

  /// The expiry of a token that is made now: eight hours later, as with Nightscout.
  static func expiry(ofToken now: Instant) -> Instant { now.adding(minutes: 8 * 60) }

  /// A token that a client of version 3 gets for the secret, and sends back with each request: a JSON Web Token (RFC
  /// 7519, HS256).
  func token(now: Instant) -> String {
    let expiry = Self.expiry(ofToken: now)
    let header = #"{"alg":"HS256","typ":"JWT"}"#
    let content = #"{"sub":"reader","iat":\#(now.secondsSince1970),"exp":\#(expiry.secondsSince1970)}"#
    let signed = "\(Base64URL.text(Array(header.utf8))).\(Base64URL.text(Array(content.utf8)))"
    return "\(signed).\(Base64URL.text(signature(of: signed)))"
  }

  /// True of a token that was made with this secret and has not expired.
  func accepts(token: String, now: Instant) -> Bool {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3,
      Array(parts[2].utf8).equalsInConstantTime(Array(Base64URL.text(signature(of: "\(parts[0]).\(parts[1])")).utf8)),
      // The signature is ours, so the content has the form that `token(now:)` gives it.
      let content = Base64URL.bytes(parts[1]),
      let expiry = String(decoding: content, as: UTF8.self).split(separator: ":").last.flatMap({ Int64($0.dropLast()) })
    else { return false }
    return now.secondsSince1970 < expiry
  }

  private func signature(of text: String) -> [UInt8] {
    HashFunction.sha256.authenticationCode(of: Array(text.utf8), key: key)
  }
}

/// Base 64 with the alphabet of addresses and without padding (RFC 4648, section 5).
enum Base64URL {
  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  static func text(_ bytes: [UInt8]) -> String {
    Base64Text.encoded(bytes).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  static func bytes(_ text: Substring) -> [UInt8]? {
    var bytes: [UInt8] = []
    var bits: (value: UInt32, count: UInt32) = (0, 0)
    for character in text.utf8 {
      guard let digit = digits.firstIndex(of: character) else { return nil }
      bits = (bits.value << 6 | UInt32(digit), bits.count + 6)
      if bits.count >= 8 {
        bits.count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits.value >> bits.count))
      }
      bits.value &= (1 << bits.count) - 1
    }
    return bytes
  }
}
