// SPDX-License-Identifier: Apache-2.0
package import TextFormats

/// The whole answer to a request; an HTTP server sends it, and leaves out the body for HEAD.
package struct ServerAnswer: Hashable, Sendable {
  package var status: Int
  package var contentType: String
  /// Further header fields, `ETag` and `Last-Modified` among them.
  package var headers: [(name: String, value: String)]
  package var body: [UInt8]
  /// Keeps the answer open after `body` and sends what changes; nil for an answer that ends there.
  package var updates: ServerUpdates?
  /// The client that gets the answer.
  package var client = Client.unknown

  /// Knowledge of the client that asks.
  package enum Client: Hashable, Sendable {
    /// The request had no secret, and one is needed.
    case unknown
    /// The request had another secret than the one that is needed.
    case wrongSecret
    /// The request had the secret, or none is needed.
    case authorized
  }

  package init(
    status: Int = 200, contentType: String, headers: [(name: String, value: String)] = [], body: [UInt8],
    updates: ServerUpdates? = nil
  ) {
    self.status = status
    self.contentType = contentType
    self.headers = headers
    self.body = body
    self.updates = updates
  }

  package static func json(status: Int = 200, _ write: (inout JSONWriter) -> Void) -> ServerAnswer {
    var writer = JSONWriter(indented: false)
    write(&writer)
    return ServerAnswer(status: status, contentType: "application/json; charset=utf-8", body: writer.bytes)
  }

  /// Compares of `updates`, which cannot be compared, only whether there are any.
  package static func == (left: Self, right: Self) -> Bool {
    left.status == right.status && left.contentType == right.contentType && left.body == right.body
      && left.headers.elementsEqual(right.headers, by: ==) && (left.updates == nil) == (right.updates == nil)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(body) }
}
