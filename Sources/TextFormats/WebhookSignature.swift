// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// Signature that proves the sender's knowledge of the secret and the sending time of a body (read: Terra's scheme):
/// `t=1723808700,v1=<HMAC-SHA256 of "1723808700." and the body, in hex>`. Parts with other names are ignored, and one
/// of several `v1` is sufficient, so that a secret can be changed.
package enum WebhookSignature {
  package enum Failure: Error, Hashable, Sendable {
    /// It does not have exactly one `t` of digits, or no `v1` of 64 hex digits.
    case malformed
    /// Seconds between the clock and the signature; positive if it is too old.
    case outOfTime(seconds: Int64, tolerance: Int64)
    case mismatch
  }

  package static let headerName = "libre-signature"
  package static let toleranceSeconds: Int64 = 300

  package static func header(for body: [UInt8], secret: Secret, at time: Instant) -> String {
    let code = code(of: body, time.secondsSince1970, secret)
    return "t=\(time.secondsSince1970),v1=\(HexText.lowercase(of: code))"
  }

  /// Returns if the value was made for this body with this secret, near the current time; compares in constant time.
  package static func verify(
    _ header: String, body: [UInt8], secret: Secret, now: Instant, tolerance: Int64 = toleranceSeconds
  ) throws(Failure) {
    var times: [String] = []
    var codes: [[UInt8]] = []
    guard header.utf8.count <= 4_096 else { throw .malformed }
    for part in header.split(separator: ",") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2 else { throw .malformed }
      let value = String(pair[1])
      switch pair[0].drop(while: { $0 == " " }) {
      case "t": times.append(value)
      case "v1":
        guard value.utf8.count == 64, let code = HexText.bytes(of: value), code.count == 32 else { throw .malformed }
        codes.append(code)
      default: break
      }
    }
    guard times.count == 1, !codes.isEmpty, (1...12).contains(times[0].utf8.count),
      times[0].utf8.allSatisfy(\.isDigit), let seconds = Int64(times[0])
    else { throw .malformed }
    let age = now.secondsSince1970 - seconds
    guard age.magnitude <= tolerance.magnitude else { throw .outOfTime(seconds: age, tolerance: tolerance) }
    let code = code(of: body, seconds, secret)
    guard codes.contains(where: code.equalsInConstantTime) else { throw .mismatch }
  }

  private static func code(of body: [UInt8], _ seconds: Int64, _ secret: Secret) -> [UInt8] {
    HashFunction.sha256.authenticationCode(of: Array("\(seconds).".utf8) + body, key: Array(secret.revealed().utf8))
  }
}
