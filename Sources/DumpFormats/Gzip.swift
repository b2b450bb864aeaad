// SPDX-License-Identifier: Apache-2.0
import CZlib

/// Unpacks what gzip packed (RFC 1952), through zlib.
public enum Gzip {
  /// True for bytes that begin as gzip's do: `1F 8B`, and the only method there is, 8.
  public static func isGzip(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B, 0x08]) }

  /// The bytes that were packed, in one member or in several; zeros after the last are padding.
  ///
  /// They are measured before there is room made for them, so that no more memory is taken than they need. Throws
  /// `tooLarge` for more than `limit`, `badGzip` for what is cut short, damaged or followed by anything else.
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
    // zlib keeps the address of the stream, and counts its input in 32 bits.
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
        // What is cut short makes no progress in the end, which is an error too.
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
