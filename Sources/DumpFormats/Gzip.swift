// SPDX-License-Identifier: Apache-2.0
import HostSystem

/// Decompression of gzip data (RFC 1952), by zlib.
package enum Gzip {
  /// True for gzip's signature: `1F 8B`, and the only compression method, 8.
  package static func isGzip(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B, 0x08]) }

  /// Zeros after the last member are padding. The size is determined first, so that no more memory is allocated than
  /// needed. Throws `tooLarge`; `badGzip` for truncated or damaged data, and for other data after it.
  package static func expanded(_ bytes: [UInt8], limit: Int) throws(DumpError) -> [UInt8] {
    var count = 0
    try unpack(bytes) { piece throws(DumpError) in
      count += piece.count
      if count > limit { throw .tooLarge(found: nil, limit: limit) }
    }
    var expanded: [UInt8] = []
    expanded.reserveCapacity(count)
    try unpack(bytes) { piece in expanded += piece }
    return expanded
  }

  /// Returns at most `limit` first bytes of the content, as far as a file's beginning can be decompressed.
  package static func beginning(of bytes: [UInt8], limit: Int) -> [UInt8] {
    var beginning: [UInt8] = []
    guard let stream = try? GzipStream() else { return [] }
    stream.add(bytes)
    while beginning.count < limit, let piece = try? stream.next() { beginning += piece }
    return Array(beginning.prefix(limit))
  }

  private static func unpack(
    _ bytes: [UInt8], _ take: ([UInt8]) throws(DumpError) -> Void
  ) throws(DumpError) {
    let stream = try GzipStream()
    stream.add(bytes)
    while let piece = try stream.next() { try take(piece) }
    try stream.end()
  }
}

/// Gzip data that is decompressed in pieces, as it arrives.
package final class GzipStream {
  private let inflation: Inflation
  /// Compressed bytes, and how many of them zlib has taken.
  private var input: [UInt8] = []
  private var position = 0
  private var state = State.member

  private enum State {
    case member
    case between
    case padding
  }

  package init() throws(DumpError) {
    guard let inflation = Inflation(.gzip) else { throw .badGzip }
    self.inflation = inflation
  }

  /// Adds compressed bytes, after `next` has returned nil for those before.
  package func add(_ bytes: [UInt8]) { (input, position) = (bytes, 0) }

  /// nil if more compressed bytes are needed. Throws `badGzip` for damaged data, and for other data after it.
  package func next() throws(DumpError) -> [UInt8]? {
    while true {
      try skipEnd()
      if state != .member { return nil }
      // Also without input: zlib may keep content that the last piece had no room for.
      let (status, piece) = inflation.next(of: input, at: &position)
      if status == .end { state = .between }
      if status == .damaged { throw .badGzip }
      if !piece.isEmpty { return piece }
      if status == .stalled, position < input.count { throw .badGzip }
      if position == input.count, state == .member { return nil }
    }
  }

  package func end() throws(DumpError) {
    if state == .member { throw .badGzip }
  }

  /// Goes on after the end of a member: to the next one, or over zeros to the end of the file.
  private func skipEnd() throws(DumpError) {
    if state == .between, position < input.count {
      state = input[position] == 0 ? .padding : .member
      if state == .member, !inflation.beginAgain() { throw .badGzip }
    }
    guard state == .padding else { return }
    guard input[position...].allSatisfy({ $0 == 0 }) else { throw .badGzip }
    position = input.count
  }
}
