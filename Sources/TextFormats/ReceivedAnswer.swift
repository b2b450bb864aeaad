// SPDX-License-Identifier: Apache-2.0

/// An answer by HTTP while it is received; data beyond the limits is discarded.
package final class ReceivedAnswer {
  static let maximumBodyBytes = 1 << 20
  static let maximumHeaders = 256
  /// Maximum length of all lines before the body, including interim answers (100, 103).
  static let maximumHeadBytes = 64 << 10

  package enum Limit { case head, body }

  package private(set) var headers: [(name: String, value: String)] = []
  package private(set) var body: [UInt8] = []
  /// The limit that stopped the reading.
  package private(set) var limit: Limit?
  private var headLength = 0
  private var hasEnded = false

  package init() {}

  /// Reads a header line with its line end; false if there are too many.
  package func takeLine(_ line: UnsafeRawBufferPointer) -> Bool {
    headLength += line.count
    guard headLength <= Self.maximumHeadBytes, headers.count < Self.maximumHeaders else {
      limit = .head
      return false
    }
    // A status line: the final answer replaces an interim one.
    if line.starts(with: "HTTP/".utf8) {
      headers = []
      hasEnded = false
    } else if line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n") {
      hasEnded = true
    } else if !hasEnded, let colon = line.firstIndex(of: UInt8(ascii: ":")) {
      let name = line[..<colon]
      // Continuation lines, an obsolete form, begin with a space.
      guard !name.isEmpty, name.allSatisfy(\.isTokenCharacter) else { return true }
      headers.append((String(decoding: name, as: UTF8.self), Self.text(line[(colon + 1)...])))
    }
    return true
  }

  /// Reads a part of the body; false if the body exceeds the limit.
  package func takeBody(_ part: UnsafeRawBufferPointer) -> Bool {
    body.append(contentsOf: part.prefix(Self.maximumBodyBytes - body.count))
    if body.count < Self.maximumBodyBytes { return true }
    limit = .body
    return false
  }

  /// The answer that a C callback gets.
  package static func of(_ user: UnsafeMutableRawPointer?) -> ReceivedAnswer? {
    user.map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
  }

  private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    let isText = { (byte: UInt8) in byte > 0x20 }
    guard let first = bytes.firstIndex(where: isText), let last = bytes.lastIndex(where: isText) else { return "" }
    return String(decoding: bytes[first...last], as: UTF8.self)
  }
}
