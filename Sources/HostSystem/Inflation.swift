// SPDX-License-Identifier: Apache-2.0
import CZlib

/// Decompression by zlib, a piece at a time.
package final class Inflation {
  /// The bytes around the compressed ones, by zlib's number for them.
  package enum Form: Int32 {
    case gzip = 31
    case zlib = 15
    /// No bytes, as in a ZIP archive.
    case bare = -15
  }

  package enum Status {
    case more, end
    /// zlib needs more of the compressed bytes.
    case stalled
    case damaged
  }

  // zlib stores the address of the stream.
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)

  private static let pieceSize = 1 << 16

  /// Returns nil without memory for zlib.
  package init?(_ form: Form) {
    stream.initialize(to: z_stream())
    guard libre_inflate_begin(stream, form.rawValue) == Z_OK else { return nil }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  package func beginAgain() -> Bool { inflateReset(stream) == Z_OK }

  /// The next piece of at most `limit` bytes; `position` moves over the compressed bytes that zlib took.
  package func next(of input: [UInt8], at position: inout Int, limit: Int = .max) -> (status: Status, piece: [UInt8]) {
    var code = Z_OK
    // zlib counts in 32 bits.
    let count = min(input.count - position, Int(Int32.max))
    let size = min(limit, Self.pieceSize)
    let piece = input.withUnsafeBufferPointer { [position] input in
      [UInt8](unsafeUninitializedCapacity: size) { output, filled in
        stream.pointee.next_in = input.baseAddress.map { UnsafeMutablePointer(mutating: $0 + position) }
        stream.pointee.avail_in = UInt32(count)
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = UInt32(size)
        code = inflate(stream, Z_NO_FLUSH)
        filled = size - Int(stream.pointee.avail_out)
      }
    }
    position += count - Int(stream.pointee.avail_in)
    switch code {
    case Z_OK: return (.more, piece)
    case Z_STREAM_END: return (.end, piece)
    case Z_BUF_ERROR: return (.stalled, piece)
    default: return (.damaged, piece)
    }
  }

  /// The content at any place among other bytes, as far as it can be unpacked, and where the packed bytes end; nil if
  /// nothing can be unpacked.
  package static func content(
    of bytes: [UInt8], from start: Int, _ form: Form, limit: Int
  ) -> (content: [UInt8], end: Int)? {
    guard let inflation = Inflation(form) else { return nil }
    var (content, end, status) = ([UInt8](), start, Status.more)
    while status == .more, content.count < limit {
      let (next, piece) = inflation.next(of: bytes, at: &end, limit: limit - content.count)
      content += piece
      status = next
    }
    return content.isEmpty ? nil : (content, end)
  }
}
