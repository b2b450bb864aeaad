// SPDX-License-Identifier: Apache-2.0
import TextFormats

/// A request as a value: created without a network, printed by `--dry-run`, performed by `HTTPCourier`.
package struct HTTPRequest: Hashable, Sendable {
  package enum Method: String, Hashable, Sendable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
  }

  package struct Header: Hashable, Sendable {
    package enum Value: Hashable, Sendable {
      case plain(String)
      /// A secret; `prefix` may be shown: `Bearer `.
      case secret(prefix: String, Secret)
    }

    package let name: String
    package let value: Value

    package init(_ name: String, _ value: String) { self.init(name, value: .plain(value)) }

    package init(_ name: String, secret: Secret, prefix: String = "") {
      self.init(name, value: .secret(prefix: prefix, secret))
    }

    private init(_ name: String, value: Value) {
      self.name = name
      self.value = value
    }

    static let jsonContent = Header("Content-Type", "application/json")
    static let acceptsJSON = Header("Accept", "application/json")

    /// Line with a placeholder for a secret.
    package var redactedText: String {
      switch value {
      case .plain(let value): "\(name): \(value)"
      case .secret(let prefix, let secret): "\(name): \(prefix)\(secret)"
      }
    }
  }

  package let method: Method
  /// Address without secrets, because servers and proxies log it; `revealedURL` is complete.
  package let url: String
  /// Last part of the path, for the one server that requires a secret there (Nightscout, for a session token).
  package let secretPath: Secret?
  package let headers: [Header]
  package let body: [UInt8]

  package init(
    _ method: Method, _ url: String, secretPath: Secret? = nil, headers: [Header] = [], body: [UInt8] = []
  ) {
    self.method = method
    self.url = url
    self.secretPath = secretPath
    self.headers = headers
    self.body = body
  }

  /// Returns a request with a JSON document, to which a JSON document is the answer.
  static func json(
    _ method: Method, _ url: String, headers: [Header], _ write: (inout JSONWriter) -> Void
  ) -> HTTPRequest {
    HTTPRequest(method, url, headers: [.jsonContent, .acceptsJSON] + headers, body: JSONWriter.line(write))
  }

  package func revealedURL() -> String { url + (secretPath.map { PercentEncoding.encoded($0.revealed()) } ?? "") }

  /// Request with placeholders for its secrets, printed by `--dry-run`.
  package var redactedText: String {
    var text = "\(method.rawValue) \(url)\(secretPath?.description ?? "")\n"
    for header in headers { text += "\(header.redactedText)\n" }
    return body.isEmpty ? text : "\(text)\n\(String(decoding: body, as: UTF8.self))\n"
  }
}

package struct HTTPResponse: Hashable, Sendable {
  package let status: Int
  /// Headers in their order, names in lower case.
  package let headers: [(name: String, value: String)]
  package let body: [UInt8]

  package init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers.map { (name: $0.name.lowercased(), value: $0.value) }
    self.body = body
  }

  package subscript(header name: String) -> String? { headers.first { $0.name == name.lowercased() }?.value }

  package static func == (left: Self, right: Self) -> Bool {
    left.status == right.status && left.body == right.body && left.headers.elementsEqual(right.headers, by: ==)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(status)
    hasher.combine(body)
  }
}
