// SPDX-License-Identifier: Apache-2.0
package import TextFormats

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

    let name: String
    let value: Value
    package init(_ name: String, _ value: String) { (self.name, self.value) = (name, .plain(value)) }

    package init(_ name: String, secret: Secret, prefix: String = "") {
      (self.name, value) = (name, .secret(prefix: prefix, secret))
    }

    static let jsonContent = Header("Content-Type", "application/json")
    static let acceptsJSON = Header("Accept", "application/json")

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
  let secretPath: Secret?
  package let headers: [Header]
  package let body: [UInt8]

  package init(_ method: Method, _ url: String, secretPath: Secret? = nil, headers: [Header] = [], body: [UInt8] = []) {
    (self.method, self.url, self.secretPath) = (method, url, secretPath)
    (self.headers, self.body) = (headers, body)
  }

  /// A request with a JSON document, to which a JSON document is the answer.
  static func json(
    _ method: Method, _ url: String, headers: [Header], _ write: (inout JSONWriter) -> Void
  ) -> HTTPRequest {
    HTTPRequest(method, url, headers: [.jsonContent, .acceptsJSON] + headers, body: JSONWriter.line(write))
  }

  func revealedURL() -> String { url + (secretPath.map { PercentEncoding.encoded($0.revealed()) } ?? "") }

  /// Request with placeholders for its secrets, printed by `--dry-run`.
  package var redactedText: String {
    var text = "\(method.rawValue) \(url)\(secretPath?.description ?? "")\n"
    for header in headers { text += "\(header.redactedText)\n" }
    return body.isEmpty ? text : "\(text)\n\(String(decoding: body, as: UTF8.self))\n"
  }
}

package struct HTTPResponse: Hashable, Sendable {
  package let status: Int
  /// Values by names in lower case; the first one of a repeated name.
  let headers: [String: String]
  package let body: [UInt8]

  package init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = Dictionary(headers.map { ($0.name.lowercased(), $0.value) }) { first, _ in first }
    self.body = body
  }

  subscript(header name: String) -> String? { headers[name.lowercased()] }
}
