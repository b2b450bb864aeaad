// SPDX-License-Identifier: Apache-2.0
import CZlib

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

  /// - Throws: `badGzip` without memory for zlib.
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
      if status == Z_STREAM_END { state = .between }
      guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else { throw .badGzip }
      if !piece.isEmpty { return piece }
      if status == Z_BUF_ERROR, position < input.count { throw .badGzip }
      if position == input.count, state == .member { return nil }
    }
  }

  /// Throws `badGzip` for truncated data.
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

/// Decompression by zlib, a piece at a time.
final class Inflation {
  /// The bytes around the compressed ones, by zlib's number for them.
  enum Form: Int32 {
    case gzip = 31
    case zlib = 15
    /// No bytes, as in a ZIP archive.
    case bare = -15
  }

  // zlib stores the address of the stream.
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)

  private static let pieceSize = 1 << 16

  /// Returns nil without memory for zlib.
  init?(_ form: Form) {
    stream.initialize(to: z_stream())
    guard libre_inflate_begin(stream, form.rawValue) == Z_OK else { return nil }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  func beginAgain() -> Bool { inflateReset(stream) == Z_OK }

  /// The next piece of at most `limit` bytes, with zlib's status; `position` moves over the compressed bytes that it took.
  func next(of input: [UInt8], at position: inout Int, limit: Int = .max) -> (status: Int32, piece: [UInt8]) {
    var status = Z_OK
    // zlib counts in 32 bits.
    let count = min(input.count - position, Int(Int32.max))
    let size = min(limit, Self.pieceSize)
    let piece = input.withUnsafeBufferPointer { [position] input in
      [UInt8](unsafeUninitializedCapacity: size) { output, filled in
        stream.pointee.next_in = input.baseAddress.map { UnsafeMutablePointer(mutating: $0 + position) }
        stream.pointee.avail_in = UInt32(count)
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = UInt32(size)
        status = inflate(stream, Z_NO_FLUSH)
        filled = size - Int(stream.pointee.avail_out)
      }
    }
    position += count - Int(stream.pointee.avail_in)
    return (status, piece)
  }

  /// The content at any place among other bytes, as far as it can be unpacked, and where the packed bytes end; nil if
  /// nothing can be unpacked.
  static func content(
    of bytes: [UInt8], from start: Int, _ form: Form, limit: Int
  ) -> (content: [UInt8], end: Int)? {
    guard let inflation = Inflation(form) else { return nil }
    var (content, end, status) = ([UInt8](), start, Z_OK)
    while status == Z_OK, content.count < limit {
      let (next, piece) = inflation.next(of: bytes, at: &end, limit: limit - content.count)
      content += piece
      status = next
    }
    return content.isEmpty ? nil : (content, end)
  }
}
