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
