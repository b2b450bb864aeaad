// SPDX-License-Identifier: Apache-2.0

/// A request as an endpoint sees it: its address taken apart and decoded once, whatever a person typed.
package struct ServerRequest: Hashable, Sendable {
  package enum Method: String, Hashable, Sendable { case get = "GET", head = "HEAD", options = "OPTIONS", other }

  package let method: Method
  /// The path without empty parts, so that `//api/v1/entries.json/` is `["api", "v1", "entries"]`.
  package let path: [String]
  /// Extension of the last part of the path, in lower case and without the dot: `json`, `txt`; nil without one.
  package let pathExtension: String?
  /// The parameters in their order, percent-decoded, half-escaped brackets included.
  package let query: [(name: String, value: String)]
  /// Header fields by their name in lower case; the first of several with a name.
  package let headers: [String: String]

  package init(
    method: Method = .get, path: [String], pathExtension: String? = nil, query: [(name: String, value: String)] = [],
    headers: [String: String] = [:]
  ) {
    self.method = method
    self.path = path
    self.pathExtension = pathExtension
    self.query = query
    self.headers = headers
  }

  /// The value of the first parameter with this name.
  package subscript(name: String) -> String? { query.first { $0.name == name }?.value }

  package static func == (left: Self, right: Self) -> Bool {
    left.method == right.method && left.path == right.path && left.pathExtension == right.pathExtension
      && left.headers == right.headers && left.query.elementsEqual(right.query, by: ==)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(path) }
}
