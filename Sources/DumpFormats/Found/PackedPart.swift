// SPDX-License-Identifier: Apache-2.0
import CZlib

/// What zlib unpacks from the bytes of a file: gzip, zlib, and the entries of a ZIP archive. Entries of archives that
/// are stored as they are need no unpacking.
struct PackedPart {
  let layer: String
  let content: [UInt8]
  /// The place of the packed bytes.
  let place: ClosedRange<Int>

  private static let zip: [UInt8] = [0x50, 0x4B, 0x03, 0x04]
  private static let entryLimit = 65_536

  static func isPacked(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: zip) || Gzip.isGzip(bytes) || isZlib(bytes)
  }

  /// The unpacked parts one at a time; those for which the budget does not last are left out.
  static func parts(of bytes: [UInt8], _ budget: inout Int) -> [PackedPart] {
    if bytes.starts(with: zip) { return entries(of: bytes, &budget) }
    guard Gzip.isGzip(bytes) || isZlib(bytes) else { return [] }
    let form: Int32 = Gzip.isGzip(bytes) ? 16 + MAX_WBITS : MAX_WBITS
    guard let (content, end) = inflated(bytes, from: 0, form: form, limit: budget) else { return [] }
    budget -= content.count
    return [PackedPart(layer: Gzip.isGzip(bytes) ? "gzip" : "zlib", content: content, place: 0...end - 1)]
  }

  /// The first two bytes of zlib data: deflate with a window of 32 KiB, and a remainder that is right.
  private static func isZlib(_ bytes: [UInt8]) -> Bool {
    bytes.count > 2 && bytes[0] == 0x78 && (UInt16(bytes[0]) << 8 | UInt16(bytes[1])).isMultiple(of: 31)
  }

  private static func entries(of bytes: [UInt8], _ budget: inout Int) -> [PackedPart] {
    var parts: [PackedPart] = []
    var start = 0
    var count = 0
    while start + 30 < bytes.count, count < entryLimit, budget > 0 {
      guard bytes[start...].starts(with: zip) else {
        start += 1
        continue
      }
      count += 1
      func number(_ offset: Int) -> Int { Int(bytes[start + offset]) | Int(bytes[start + offset + 1]) << 8 }
      let isDeflated = number(8) == 8
      let content = start + 30 + number(26) + number(28)
      if isDeflated, content < bytes.count,
        let (unpacked, end) = inflated(bytes, from: content, form: -MAX_WBITS, limit: budget)
      {
        budget -= unpacked.count
        parts.append(PackedPart(layer: "zip", content: unpacked, place: start...end - 1))
        start = end
      } else {
        start += 30
      }
    }
    return parts
  }

  /// The content from `start` on, as far as it can be unpacked, and where the packed bytes end; nil for none.
  private static func inflated(_ bytes: [UInt8], from start: Int, form: Int32, limit: Int) -> ([UInt8], end: Int)? {
    // zlib stores the address of the stream.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    guard libre_inflate_begin(stream, form) == Z_OK else { return nil }
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
