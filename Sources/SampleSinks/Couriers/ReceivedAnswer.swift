// SPDX-License-Identifier: Apache-2.0

/// An answer while it comes in, bounded: what a server sends beyond the limits is not kept.
struct ReceivedAnswer {
  static let longestBody = 1 << 20
  static let mostHeaders = 256
  /// All lines before the body together, those of interim answers (100, 103) included.
  static let longestHead = 64 << 10

  /// What stopped the reading.
  enum Limit {
    case head
    case body
  }

  private(set) var headers: [(name: String, value: String)] = []
  private(set) var body: [UInt8] = []
  private(set) var limit: Limit?
  private var headLength = 0
  private var hasEnded = false

  /// Takes a line of the head, with its end. False if there are too many of them.
  mutating func takeLine(_ line: UnsafeRawBufferPointer) -> Bool {
    headLength += line.count
    guard headLength <= Self.longestHead, headers.count < Self.mostHeaders else {
      limit = .head
      return false
    }
    // A status line: the answer to come takes the place of an interim one.
    if line.starts(with: "HTTP/".utf8) {
      headers = []
      hasEnded = false
    } else if line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n") {
      hasEnded = true
    } else if !hasEnded, let colon = line.firstIndex(of: UInt8(ascii: ":")) {
      let name = line[..<colon]
      // Lines that continue the one before, an obsolete form, begin with a space.
      guard !name.isEmpty, name.allSatisfy(\.isTokenCharacter) else { return true }
      headers.append((String(decoding: name, as: UTF8.self), Self.text(line[(colon + 1)...])))
    }
    return true
  }

  /// Takes a part of the body. False if the body is longer than what is kept.
  mutating func takeBody(_ part: UnsafeRawBufferPointer) -> Bool {
    body.append(contentsOf: part.prefix(Self.longestBody - body.count))
    if body.count < Self.longestBody { return true }
    limit = .body
    return false
  }

  private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    let isSpace = { (byte: UInt8) in byte <= 0x20 }
    guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return String(decoding: bytes[first...last], as: UTF8.self)
  }
}

extension UInt8 {
  /// What the name of a header may consist of (RFC 9110, 5.6.2).
  var isTokenCharacter: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(self)
    }
  }
}
