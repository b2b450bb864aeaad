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
  private let stream: UnsafeMutablePointer<z_stream>
  /// Compressed bytes, and how many of them zlib has taken.
  private var input: [UInt8] = []
  private var position = 0
  private var state = State.member

  private enum State {
    case member
    case between
    case padding
  }

  private static let pieceSize = 1 << 16

  /// - Throws: `badGzip` without memory for zlib.
  package init() throws(DumpError) {
    // zlib stores the address of the stream.
    stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard libre_inflate_begin(stream, Inflation.Form.gzip.rawValue) == Z_OK else { throw .badGzip }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Adds compressed bytes, after `next` has returned nil for those before.
  package func add(_ bytes: [UInt8]) { (input, position) = (bytes, 0) }

  /// nil if more compressed bytes are needed. Throws `badGzip` for damaged data, and for other data after it.
  package func next() throws(DumpError) -> [UInt8]? {
    while true {
      try skipEnd()
      if state != .member { return nil }
      // Also without input: zlib may keep content that the last piece had no room for.
      let (status, piece) = inflated()
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
      if state == .member, inflateReset(stream) != Z_OK { throw .badGzip }
    }
    guard state == .padding else { return }
    guard input[position...].allSatisfy({ $0 == 0 }) else { throw .badGzip }
    position = input.count
  }

  private func inflated() -> (status: Int32, piece: [UInt8]) {
    var status = Z_OK
    // zlib counts in 32 bits.
    let count = min(input.count - position, Int(Int32.max))
    let piece = input.withUnsafeBufferPointer { input in
      [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { output, filled in
        stream.pointee.next_in = input.baseAddress.map { UnsafeMutablePointer(mutating: $0 + position) }
        stream.pointee.avail_in = UInt32(count)
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = UInt32(Self.pieceSize)
        status = inflate(stream, Z_NO_FLUSH)
        filled = Self.pieceSize - Int(stream.pointee.avail_out)
      }
    }
    position += count - Int(stream.pointee.avail_in)
    return (status, piece)
  }
}

/// Compressed data at any place among other bytes, as far as it can be unpacked.
enum Inflation {
  /// The bytes around the compressed ones, by zlib's number for them.
  enum Form: Int32 {
    case gzip = 31
    case zlib = 15
    /// No bytes, as in a ZIP archive.
    case bare = -15
  }

  /// The content from `start` on, as far as it can be unpacked, and where the packed bytes end; nil for none.
  static func content(
    of bytes: [UInt8], from start: Int, _ form: Form, limit: Int
  ) -> (content: [UInt8], end: Int)? {
    // zlib stores the address of the stream.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    guard libre_inflate_begin(stream, form.rawValue) == Z_OK else { return nil }
    defer { inflateEnd(stream) }
    var content: [UInt8] = []
    var end = start
    bytes.withUnsafeBufferPointer { input in
      stream.pointee.next_in = input.baseAddress.map { UnsafeMutablePointer(mutating: $0 + start) }
      // zlib counts in 32 bits, and a file is smaller.
      stream.pointee.avail_in = UInt32(input.count - start)
      var status = Z_OK
      while status == Z_OK, content.count < limit {
        let size = min(1 << 16, limit - content.count)
        content += [UInt8](unsafeUninitializedCapacity: size) { output, filled in
          stream.pointee.next_out = output.baseAddress
          stream.pointee.avail_out = UInt32(size)
          status = inflate(stream, Z_NO_FLUSH)
          filled = size - Int(stream.pointee.avail_out)
        }
      }
      end = input.count - Int(stream.pointee.avail_in)
    }
    return content.isEmpty ? nil : (content, end)
  }
}
