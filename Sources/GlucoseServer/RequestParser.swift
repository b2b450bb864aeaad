// SPDX-License-Identifier: Apache-2.0
import CGMModel

extension ServerRequest {
  /// Takes the target of a request line apart: `//api/v1/entries.json?find%5Bdate%5D[$gt]=1`.
  ///
  /// Every text has a result. Header names may come in any case. Several `Host` fields become one with a comma, which no
  /// host has. Foundation is left out on purpose: it leaves
  /// half-escaped brackets undecoded, and reads `//api/v1` as a host.
  package init(method: String, target: String, headers: some Sequence<(name: String, value: String)>) {
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

  /// The same for a request without header fields.
  package init(target: String) { self.init(method: "GET", target: target, headers: []) }

  /// Suffixes by which clients name a format. Anything else with a dot is part of a name.
  private static let extensions: Set<String> = ["json", "txt", "tsv", "csv", "html", "js", "svg", "png"]
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
    guard extensions.contains(name) else { return nil }
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
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    var rest = bytes
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2, let high = HexText.nibble(rest[rest.startIndex]),
        let low = HexText.nibble(rest[rest.startIndex + 1])
      {
        text.append(high << 4 | low)
        rest.removeFirst(2)
      } else {
        text.append(isQuery && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
