// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// Address on which a server listens.
package enum ListenAddress: Hashable, Sendable {
  case internet(host: String, port: Int)
  /// A socket in the file system, which programs of this computer alone can reach.
  case unixSocket(path: String)

  /// xDrip's, which its clients know without being told.
  private static let standardPort = 17_580
  package static let standard = ListenAddress.internet(host: "127.0.0.1", port: standardPort)

  /// Reads `127.0.0.1:17580`, `[::1]:17580`, a host alone, or `unix:/path`; nil for anything else.
  package init?(_ text: String) {
    if text.hasPrefix("unix:") {
      let path = String(text.dropFirst(5))
      // The kernel takes no longer one.
      guard path.hasPrefix("/"), path.utf8.count <= 107, !path.utf8.contains(0) else { return nil }
      self = .unixSocket(path: path)
      return
    }
    guard let (host, rest) = text.hostAndRest, !host.isEmpty else { return nil }
    guard rest.isEmpty || rest.hasPrefix(":"),
      let port = rest.isEmpty ? Self.standardPort : UInt16(rest.dropFirst()).map(Int.init)
    else { return nil }
    self = .internet(host: String(host), port: port)
  }

  /// True if only programs of this computer can reach it.
  package var isLocal: Bool {
    switch self {
    case .unixSocket: return true
    case .internet(let host, _):
      guard let name = HostName(host.contains(":") ? "[\(host)]" : host) else { return false }
      return name.text == "localhost" || name.text == "::1" || name.isAddress && name.text.hasPrefix("127.")
    }
  }

  /// True for an address that stands for all of this computer's.
  package var isAny: Bool {
    if case .internet(let host, _) = self { host == "0.0.0.0" || host == "::" } else { false }
  }

  /// The same with another port: the one that the system chose where 0 was asked for.
  package func with(port: Int) -> ListenAddress {
    if case .internet(let host, _) = self { .internet(host: host, port: port) } else { self }
  }
}

extension ListenAddress: CustomStringConvertible {
  /// Text as it is written for `--listen`.
  package var description: String {
    switch self {
    case .internet(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    case .unixSocket(let path): "unix:\(path)"
    }
  }
}

/// The name in a `Host` field, without its port.
package struct HostName {
  /// Name in lower case; of an IPv6 address what stands in the brackets.
  package let text: String

  /// nil for a field that is neither a name nor an address, with or without a port. An empty one is a name without letters.
  package init?(_ field: String) {
    guard let (host, rest) = field.lowercased().hostAndRest,
      rest.isEmpty || rest.utf8.dropFirst().allSatisfy(\.isDigit) && rest.hasPrefix(":")
    else { return nil }
    text = String(host)
  }

  /// True of an IPv4 or IPv6 address. No resolver knows a name that looks like one.
  package var isAddress: Bool { isIPv4 || text.isIPv6 }

  private var isIPv4: Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { $0.allSatisfy(\.isDigit) && UInt8(String(Substring($0))) != nil }
  }
}

extension StringProtocol {
  fileprivate var isIPv6: Bool {
    contains(":") && utf8.allSatisfy { HexText.nibble($0) != nil || ":.".utf8.contains($0) }
  }
}

extension String {
  /// The name or address at the beginning, an IPv6 address without its brackets, and what follows; nil without one.
  fileprivate var hostAndRest: (host: Substring, rest: Substring)? {
    if hasPrefix("[") {
      guard let end = firstIndex(of: "]") else { return nil }
      let host = self[..<end].dropFirst()
      return host.isIPv6 ? (host, self[index(after: end)...]) : nil
    }
    let host = prefix { $0 != ":" }
    return host.utf8.allSatisfy(\.isNameCharacter) ? (host, self[host.endIndex...]) : nil
  }
}

extension UInt8 {
  /// True of what a host name or an IPv4 address is made of.
  fileprivate var isNameCharacter: Bool {
    isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) || "-._".utf8.contains(self)
  }
}
