// SPDX-License-Identifier: Apache-2.0
import HostSystem

/// A part of a file that stands by itself once it is unpacked: gzip, zlib, a backup of Android, or an entry of a ZIP
/// archive. One that is stored as it is may begin with digits right behind its name.
struct PackedPart {
  let layer: String
  let content: [UInt8]
  /// The place of the packed bytes.
  let place: ClosedRange<Int>

  private static let zip: [UInt8] = [0x50, 0x4B, 0x03, 0x04]
  private static let entryLimit = 65_536

  static func isPacked(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: zip) || Gzip.isGzip(bytes) || zlibStart(in: bytes) != nil
  }

  /// The unpacked parts one at a time; those for which the budget does not last are left out.
  static func parts(of bytes: [UInt8], _ budget: inout Int) -> [PackedPart] {
    if bytes.starts(with: zip) { return entries(of: bytes, &budget) }
    let isGzip = Gzip.isGzip(bytes)
    guard let start = isGzip ? 0 : zlibStart(in: bytes),
      let (content, end) = Inflation.content(of: bytes, from: start, isGzip ? .gzip : .zlib, limit: budget)
    else { return [] }
    budget -= content.count
    let layer = isGzip ? "gzip" : start > 0 ? "Android backup" : "zlib"
    return [PackedPart(layer: layer, content: content, place: start...end - 1)]
  }

  /// The place of zlib data: the beginning, or after the four lines of an `adb backup` that is not encrypted.
  private static func zlibStart(in bytes: [UInt8]) -> Int? {
    if isZlib(bytes[...]) { return 0 }
    // The second line is the version, which changes nothing; an archive that is not packed needs no unpacking.
    let (title, rest) = (Array("ANDROID BACKUP\n".utf8), Array("\n1\nnone\n".utf8))
    guard bytes.starts(with: title), let line = bytes.dropFirst(title.count).prefix(4).firstIndex(of: 0x0A),
      bytes[line...].starts(with: rest), isZlib(bytes[(line + rest.count)...])
    else { return nil }
    return line + rest.count
  }

  /// The first two bytes of zlib data: deflate with a window of 32 KiB, and a remainder that is right.
  private static func isZlib(_ bytes: ArraySlice<UInt8>) -> Bool {
    let head = Array(bytes.prefix(2))
    return head.count > 1 && head[0] == 0x78 && (UInt16(head[0]) << 8 | UInt16(head[1])).isMultiple(of: 31)
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
      let content = start + 30 + number(26) + number(28)
      let storedEnd = content + (number(18) | number(20) << 16)
      if number(8) == 0, content < storedEnd, storedEnd <= bytes.count, storedEnd - content <= budget {
        budget -= storedEnd - content
        parts.append(PackedPart(layer: "zip", content: Array(bytes[content..<storedEnd]), place: start...storedEnd - 1))
        start = storedEnd
      } else if number(8) == 8, content < bytes.count,
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
