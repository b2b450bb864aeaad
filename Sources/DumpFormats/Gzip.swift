// SPDX-License-Identifier: Apache-2.0
import CZlib

/// Decompression of gzip data (RFC 1952), by zlib.
public enum Gzip {
  /// True for gzip's signature: `1F 8B`, and the only compression method, 8.
  public static func isGzip(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B, 0x08]) }

  /// Returns the decompressed bytes of one member or several; zeros after the last are padding.
  ///
  /// The size is determined first, so that no more memory is allocated than needed.
  ///
  /// - Throws: `tooLarge` for more than `limit`; `badGzip` for truncated or damaged data, and for other data after it.
  public static func expanded(_ bytes: [UInt8], limit: Int) throws(DumpError) -> [UInt8] {
    var count = 0
    try unpack(bytes) { chunk throws(DumpError) in
      count += chunk.count
      if count > limit { throw .tooLarge(found: nil, limit: limit) }
    }
    var expanded: [UInt8] = []
    expanded.reserveCapacity(count)
    try unpack(bytes) { chunk in expanded += chunk }
    return expanded
  }

  private static let chunkSize = 1 << 16

  private static func unpack(
    _ bytes: [UInt8], _ take: (ArraySlice<UInt8>) throws(DumpError) -> Void
  ) throws(DumpError) {
    // zlib stores the address of the stream, and counts its input in 32 bits.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    guard let length = UInt32(exactly: bytes.count), libre_gunzip_begin(stream) == Z_OK else { throw .badGzip }
    defer { inflateEnd(stream) }

    var chunk = [UInt8](repeating: 0, count: chunkSize)
    try bytes.withUnsafeBufferPointer { input throws(DumpError) in
      stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      stream.pointee.avail_in = length
      while true {
        let status = chunk.withUnsafeMutableBufferPointer { output in
          stream.pointee.next_out = output.baseAddress
          stream.pointee.avail_out = UInt32(output.count)
          return inflate(stream, Z_NO_FLUSH)
        }
        // With truncated data zlib makes no progress in the end, which is an error too.
        guard status == Z_OK || status == Z_STREAM_END else { throw .badGzip }
        try take(chunk[..<(chunk.count - Int(stream.pointee.avail_out))])
        guard status == Z_STREAM_END else { continue }
        let rest = input.suffix(Int(stream.pointee.avail_in))
        if rest.allSatisfy({ $0 == 0 }) { return }
        guard inflateReset(stream) == Z_OK else { throw .badGzip }
      }
    }
  }
}
