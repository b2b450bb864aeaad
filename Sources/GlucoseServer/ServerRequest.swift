// SPDX-License-Identifier: Apache-2.0
import TextFormats

/// A request as an endpoint sees it: its address taken apart and decoded once, whatever a person typed.
struct ServerRequest: Sendable {
  enum Method: String, Hashable, Sendable { case get = "GET", head = "HEAD", options = "OPTIONS", other }

  var method = Method.get
  /// The path without empty parts, so that `//api/v1/entries.json/` is `["api", "v1", "entries"]`.
  var path: [String]
  /// Extension of the last part of the path, in lower case and without the dot: `json`.
  var pathExtension: String?
  /// The parameters in their order, percent-decoded, half-escaped brackets included.
  var query: [(name: String, value: String)] = []
  /// Header fields by their name in lower case; the first of several with a name.
  var headers: [String: String] = [:]

  subscript(name: String) -> String? { query.first { $0.name == name }?.value }

  var api: APIPath { APIPath(path) }
}

extension ServerRequest {
  /// Takes the target of a request line apart: `//api/v1/entries.json?find%5Bdate%5D[$gt]=1`. Every text has a result.
  /// Header names may come in any case. Several `Host` fields become one with a comma, which no host has. Foundation is
  /// left out on purpose: it leaves half-escaped brackets undecoded, and reads `//api/v1` as a host.
  init(method: String, target: String, headers: some Sequence<(name: String, value: String)>) {
    let bytes = Array(target.utf8.prefix { $0 != UInt8(ascii: "#") })
    let question = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
    var path = Self.path(bytes[..<question])
    let pathExtension = Self.removeExtension(from: &path)
    var fields: [String: String] = [:]
    for (name, value) in headers {
      let name = name.lowercased()
      if let first = fields[name] {
        if name == "host" { fields[name] = "\(first),\(value)" }
      } else {
        fields[name] = value
      }
    }
    self.init(
      method: Method(rawValue: method) ?? .other, path: path, pathExtension: pathExtension,
      query: Self.query(bytes[question...].dropFirst()), headers: fields)
  }

  /// More than any client sends.
  private static let maximumParameters = 256

  private static func path(_ bytes: ArraySlice<UInt8>) -> [String] {
    var bytes = bytes
    // The form that proxies get names the host too: http://host/path.
    if bytes.first != UInt8(ascii: "/"), let scheme = bytes.firstRange(of: Array("://".utf8)) {
      bytes = bytes[scheme.upperBound...].drop { $0 != UInt8(ascii: "/") }
    }
    return bytes.split(separator: UInt8(ascii: "/")).map { decoded($0) }
  }

  /// Removes `.json` and the like from the last part, with what stands behind it: a stray `}` of a template.
  private static func removeExtension(from path: inout [String]) -> String? {
    guard var last = path.last else { return nil }
    while last.hasSuffix("}") { last.removeLast() }
    guard let dot = last.lastIndex(of: "."), dot != last.startIndex else { return nil }
    let name = last[last.index(after: dot)...].lowercased()
    // Anything else with a dot is part of a name.
    guard AnswerFormat.types[name] != nil else { return nil }
    path[path.count - 1] = String(last[..<dot])
    return name
  }

  private static func query(_ bytes: ArraySlice<UInt8>) -> [(name: String, value: String)] {
    bytes.split(separator: UInt8(ascii: "&")).prefix(maximumParameters).map { item in
      let equals = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
      return (decoded(item[..<equals], isQuery: true), decoded(item[equals...].dropFirst(), isQuery: true))
    }
  }

  /// Decodes `%5B`, and leaves a `%` that two hex digits do not follow. In a query `+` is a space.
  private static func decoded(_ bytes: ArraySlice<UInt8>, isQuery: Bool = false) -> String {
    guard bytes.contains(where: { $0 == UInt8(ascii: "%") || isQuery && $0 == UInt8(ascii: "+") }) else {
      return String(decoding: bytes, as: UTF8.self)
    }
    return String(decoding: PercentEncoding.decoded(bytes, isQuery: isQuery), as: UTF8.self)
  }
}

/// The part of an address from its last `api/vN` on, whatever people or a proxy put before it.
struct APIPath {
  let version: Int?
  let parts: [String]

  init(_ path: [String]) {
    let versions = ["v1": 1, "v2": 2, "v3": 3]
    let place = path.indices.dropLast().last { path[$0] == "api" && versions[path[$0 + 1]] != nil }
    version = place.flatMap { versions[path[$0 + 1]] }
    parts = place.map { Array(path[($0 + 2)...]) } ?? path
  }

  /// Nightscout answers all of version 1 under version 2 as well.
  var isFirstOrSecond: Bool { version == 1 || version == 2 }
}
