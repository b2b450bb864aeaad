// SPDX-License-Identifier: Apache-2.0
import TextFormats

/// The address of a sink, validated once; only paths of our own are appended to it.
struct SinkAddress: Hashable, Sendable {
  enum Scheme: String, Hashable, Sendable {
    case http, https, mqtt, mqtts

    var isPlain: Bool { self == .http || self == .mqtt }

    var port: Int {
      switch self {
      case .http: 80
      case .https: 443
      case .mqtt: 1883
      case .mqtts: 8883
      }
    }
  }

  let scheme: Scheme
  /// Host in lower case; an IPv6 address without brackets.
  let host: String
  let port: Int
  /// Path; empty or with a leading slash, without a trailing slash.
  let path: String
  /// Address as text, with the port only if it is not the default.
  let text: String

  /// Users, passwords, queries and fragments are rejected: secrets, or in conflict with appended paths.
  /// - Throws: `missing`, `bad`, or `plainHTTP` if it would send everything unencrypted to another machine.
  init(_ options: SinkOptions, key: String = "url", schemes: Set<Scheme> = [.http, .https]) throws(SinkOptionError) {
    try self.init(options.required(key), key: key, schemes: schemes, allowsPlain: options.allowsHTTP)
  }

  init(_ address: String, key: String, schemes: Set<Scheme>, allowsPlain: Bool) throws(SinkOptionError) {
    let names = schemes.map { "\($0.rawValue)://" }.sorted().joined(separator: " or ")
    let allowed =
      "\(names) with a host, an optional port and an optional path, without user, password, query or fragment"
    // Do not show an address that may contain a password or a token.
    let shown =
      address.utf8.allSatisfy(Self.isAllowed)
      ? address : "an address with @, ?, #, a space or another special character"
    let bad = SinkOptionError.bad(key: key, value: shown, allowed: allowed)
    let bytes = Array(address.utf8)
    guard bytes.count <= 2_000, bytes.allSatisfy(Self.isAllowed), let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
      let scheme = Scheme(rawValue: String(decoding: bytes[..<colon], as: UTF8.self).lowercased()),
      schemes.contains(scheme), bytes[(colon + 1)...].starts(with: "//".utf8)
    else { throw bad }
    let rest = bytes[(colon + 3)...]
    let slash = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
    var path = rest[slash...]
    while path.last == UInt8(ascii: "/") { path.removeLast() }
    guard let (host, port) = Self.authority(rest[..<slash]), Self.isPath(path) else { throw bad }
    (self.scheme, self.host) = (scheme, host)
    self.port = port ?? scheme.port
    self.path = String(decoding: path, as: UTF8.self)
    let place = host.contains(":") ? "[\(host)]" : host
    text = "\(scheme.rawValue)://\(place)\(self.port == scheme.port ? "" : ":\(self.port)")\(self.path)"
    if scheme.isPlain, !allowsPlain, !Self.isLoopback(host) { throw .plainHTTP(url: text) }
  }

  /// True for this machine: `localhost`, `::1`, and 127.0.0.0/8 written with four numbers.
  static func isLoopback(_ host: String) -> Bool {
    if host == "localhost" || host == "::1" || host == "0:0:0:0:0:0:0:1" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127"
      && parts.allSatisfy { (1...3).contains($0.utf8.count) && UInt8($0) != nil }
  }

  private static func authority(_ bytes: ArraySlice<UInt8>) -> (host: String, port: Int?)? {
    let isBracketed = bytes.first == UInt8(ascii: "[")
    let end = bytes.firstIndex(of: UInt8(ascii: isBracketed ? "]" : ":"))
    var (host, port) = (bytes[..<(end ?? bytes.endIndex)], bytes[(end ?? bytes.endIndex)...])
    if isBracketed {
      (host, port) = (host.dropFirst(), port.dropFirst())
      guard end != nil, host.contains(UInt8(ascii: ":")), host.allSatisfy(isAddressDigit) else { return nil }
    } else {
      guard !host.isEmpty, host.count <= 253, host.allSatisfy(isHostCharacter), host.first != UInt8(ascii: ".") else {
        return nil
      }
    }
    let name = String(decoding: host, as: UTF8.self).lowercased()
    guard let colon = port.popFirst() else { return (name, nil) }
    guard colon == UInt8(ascii: ":"), (1...5).contains(port.count),
      port.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
      let number = UInt16(String(decoding: port, as: UTF8.self)), number > 0
    else { return nil }
    return (name, Int(number))
  }

  /// True for printable ASCII, except characters that end the path, separate a user, or are invalid in an address.
  private static func isAllowed(_ byte: UInt8) -> Bool {
    (0x21...0x7E).contains(byte) && !"@?#\"<>\\^`{|}".utf8.contains(byte)
  }

  private static func isHostCharacter(_ byte: UInt8) -> Bool {
    Unicode.Scalar(byte).isPlain || "._".utf8.contains(byte)
  }

  /// True for hex digits, colons, and the dots of an IPv4 address at the end.
  private static func isAddressDigit(_ byte: UInt8) -> Bool { "0123456789abcdefABCDEF:.".utf8.contains(byte) }

  /// True for a path without brackets, empty parts, and `.` or `..`, which would change its meaning.
  private static func isPath(_ bytes: ArraySlice<UInt8>) -> Bool {
    let parts = String(decoding: bytes, as: UTF8.self).split(separator: "/", omittingEmptySubsequences: false)
    return !bytes.contains { "[]".utf8.contains($0) } && !parts.contains { $0 == "." || $0 == ".." }
      && !parts.dropFirst().contains("")
  }
}
