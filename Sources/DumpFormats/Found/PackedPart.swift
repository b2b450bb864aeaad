// SPDX-License-Identifier: Apache-2.0

/// A part of a file that zlib unpacks: gzip, zlib, or an entry of a ZIP archive. Entries that are stored as they are need
/// no unpacking.
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
    let form: Inflation.Form = Gzip.isGzip(bytes) ? .gzip : .zlib
    guard let (content, end) = Inflation.content(of: bytes, from: 0, form, limit: budget) else { return [] }
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
        let (unpacked, end) = Inflation.content(of: bytes, from: content, .bare, limit: budget)
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
}
