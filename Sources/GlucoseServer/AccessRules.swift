// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem
import TextFormats

/// Rules of who may read.
package struct AccessRules: Sendable {
  /// nil if everybody who reaches the server may read.
  let secret: ServerSecret?
  /// Further names that a request may have in its `Host` field, in lower case and without a port.
  private let hosts: Set<String>
  /// False for a Unix socket, which no browser reaches.
  private let checksHost: Bool
  /// Origins as browsers write them: `https://dashboard.example`.
  private let origins: Set<String>

  package init(
    secret: ServerSecret? = nil, hosts: Set<String> = [], origins: Set<String> = [], checksHost: Bool = true
  ) {
    self.secret = secret
    self.hosts = Set(hosts.map { $0.lowercased() })
    self.origins = origins
    self.checksHost = checksHost
  }

  /// False for several `Host` fields: programs on the way may take another host from them.
  func hasValidHost(_ request: ServerRequest) -> Bool { request.headers["host"].map { HostName($0) != nil } ?? true }

  /// False for a name that a page of the internet may have (GlucoseServer/GlucoseServer, "Who may read").
  func isFamiliarHost(_ request: ServerRequest) -> Bool {
    guard checksHost, secret == nil, let host = request.headers["host"] else { return true }
    guard let name = HostName(host) else { return false }
    return name.isAddress || name.text == "localhost" || hosts.contains(name.text)
  }

  /// Everybody is authorized if no secret is set.
  func client(of request: ServerRequest, now: Instant) -> ServerAnswer.Client {
    guard let secret else { return .authorized }
    let bearer = request.headers["authorization"].flatMap { field in
      field.lowercased().hasPrefix("bearer ") ? String(field.dropFirst(7).drop { $0 == " " }) : nil
    }
    // Clients of version 3 ask for a token with the secret as the last part of the path.
    let isTokenRequest = request.path.dropLast().suffix(2) == ["authorization", "request"]
    let inPath = isTokenRequest ? request.path.last : nil
    let candidates = [request.headers["api-secret"], request["token"], request["secret"], bearer, inPath]
      .compactMap(\.self)
    // Each is compared, so that the time does not tell which was right.
    let isKnown = candidates.count(where: secret.matches) > 0
    if isKnown || bearer.map({ secret.accepts(token: $0, now: now) }) ?? false { return .authorized }
    // Some clients send the word null where their user has typed nothing.
    return candidates.allSatisfy { ["", "null", "token="].contains($0) } ? .unknown : .wrongSecret
  }

  func crossOriginFields(for request: ServerRequest) -> [(name: String, value: String)] {
    guard !origins.isEmpty else { return [] }
    guard let origin = request.headers["origin"], origins.contains(origin) else { return [("Vary", "Origin")] }
    return [("Access-Control-Allow-Origin", origin), ("Vary", "Origin")]
  }

  /// The answer to what a browser asks before it sends a request with `api-secret`.
  func preflight(_ request: ServerRequest) -> ServerAnswer {
    var answer = ServerAnswer(status: 204, contentType: "", headers: [("Allow", Self.methods)], body: [])
    if let origin = request.headers["origin"], origins.contains(origin) {
      answer.headers += [
        ("Access-Control-Allow-Methods", Self.methods),
        ("Access-Control-Allow-Headers", "api-secret, authorization, content-type"),
        ("Access-Control-Max-Age", "600"),
      ]
    }
    return answer
  }

  static let methods = "GET, HEAD, OPTIONS"
}

extension ServerAnswer {
  /// An error in the shape that Nightscout's clients know. `words` never repeat what a client sent.
  static func problem(_ status: Int, _ message: String, _ words: String) -> ServerAnswer {
    object(status: status) {
      $0.member("status", status)
      $0.member("message", message)
      $0.member("description", words)
    }
  }
}

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
    let signed =
      "\(Base64Text.encodedForAddress(Array(header.utf8))).\(Base64Text.encodedForAddress(Array(content.utf8)))"
    return "\(signed).\(Base64Text.encodedForAddress(signature(of: signed)))"
  }

  /// True of a token that was made with this secret and has not expired.
  func accepts(token: String, now: Instant) -> Bool {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3,
      Array(parts[2].utf8).equalsInConstantTime(
        Array(Base64Text.encodedForAddress(signature(of: "\(parts[0]).\(parts[1])")).utf8)),
      // The signature is ours, so the content has the form that `token(now:)` gives it.
      let content = Base64Text.bytes(of: parts[1].utf8),
      let expiry = String(decoding: content, as: UTF8.self).split(separator: ":").last.flatMap({ Int64($0.dropLast()) })
    else { return false }
    return now.secondsSince1970 < expiry
  }

  private func signature(of text: String) -> [UInt8] {
    HashFunction.sha256.authenticationCode(of: Array(text.utf8), key: key)
  }
}
