// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import TestSupport
import Testing

@testable import DumpFormats

struct GzipTests {
  private static let text = Array(String(repeating: "58 CF 1F 0D 03 00 00 00\n", count: 20).utf8)

  /// `gzip -9 -c f.txt` of gzip 1.12, with the file's name and time in the header.
  private static let packed = bytes(
    """
    1F8B0808F3B7016B0203662E7478740033B550707653307453307051303056303080202ED351F161210E00231D6032E0010000
    """)

  /// Python's `gzip.compress(bytes(200000), 9, mtime=0)`.
  private static let zeros =
    bytes("1F8B0800000000000203EDC13101000000C2A0F54F6D067FA0")
    + [UInt8](repeating: 0, count: 193) + bytes("80D7007B58E05C400D0300")

  private static func bytes(_ text: String) -> [UInt8] { HexText.bytes(of: text) ?? [] }

  private func expanded(_ bytes: [UInt8], limit: Int = 1 << 20) throws(DumpError) -> [UInt8] {
    try Gzip.expanded(bytes, limit: limit)
  }

  @Test("recognises gzip data by its first three bytes")
  func mark() {
    #expect(Gzip.isGzip(Self.packed))
    for other: [UInt8] in [[], [0x1F], [0x1F, 0x8B], [0x1F, 0x8B, 0x07, 0, 0], [0x8B, 0x1F, 0x08]] {
      #expect(!Gzip.isGzip(other))
    }
  }

  @Test("unpacks what gzip and Python packed")
  func unpack() throws {
    #expect(try expanded(Self.packed) == Self.text)
    #expect(try expanded(Self.zeros) == [UInt8](repeating: 0, count: 200_000))
  }

  @Test(
    "unpacks stored (uncompressed) blocks, including an empty file", arguments: [0, 1, 344, 65_536, 300_000])
  func stored(count: Int) throws {
    var random = SplitMix64(seed: UInt64(count))
    let bytes = random.bytes(count)
    #expect(try expanded(StoredGzip.file(bytes)) == bytes)
  }

  @Test("unpacks several members in sequence, as from `cat a.gz b.gz`, and ignores zeros at the end")
  func members() throws {
    let file = Self.packed + StoredGzip.file([1, 2, 3]) + Self.packed
    #expect(try expanded(file) == Self.text + [1, 2, 3] + Self.text)
    #expect(try expanded(file + [UInt8](repeating: 0, count: 512)) == Self.text + [1, 2, 3] + Self.text)
  }

  @Test("stops at the output limit, however small the packed data is")
  func limit() throws {
    #expect(try expanded(Self.zeros, limit: 200_000).count == 200_000)
    #expect(throws: DumpError.tooLarge(found: nil, limit: 199_999)) { try expanded(Self.zeros, limit: 199_999) }
    #expect(throws: DumpError.tooLarge(found: nil, limit: 0)) { try expanded(Self.packed, limit: 0) }
    // The members exceed the limit together, though none of them does alone.
    let members = Array(repeating: Self.packed, count: 3).flatMap { $0 }
    #expect(throws: DumpError.tooLarge(found: nil, limit: 1_439)) { try expanded(members, limit: 1_439) }
    #expect(try expanded(members, limit: 1_440).count == 1_440)
  }

  @Test("refuses data that is cut off at any position")
  func cut() {
    for count in 0..<Self.packed.count {
      #expect(throws: DumpError.badGzip, "\(count) bytes") { try expanded(Array(Self.packed.prefix(count))) }
    }
  }

  @Test("never returns wrong bytes after one bit flipped")
  func damaged() {
    // After the flags, time, system and name in the header, which have no checksum.
    let start = 10 + "f.txt".utf8.count + 1
    var unnoticed = 0
    for position in start..<Self.packed.count {
      for bit in 0..<8 {
        var bytes = Self.packed
        bytes[position] ^= 1 << UInt8(bit)
        do {
          #expect(try expanded(bytes) == Self.text)
          unnoticed += 1
        } catch {
          #expect(error == .badGzip, "byte \(position), bit \(bit)")
        }
      }
    }
    // The bits that pad the last byte before the checksum have no meaning.
    #expect(unnoticed < 8)
  }

  @Test("refuses other bytes after the end, and data that is not gzip")
  func other() {
    for file in [Self.packed + [1], Self.packed + [0, 0, 0x1F, 0x8B], Self.text, [], [0x1F, 0x8B, 0x08]] {
      #expect(throws: DumpError.badGzip) { try expanded(file) }
    }
  }

  @Test("a stream gives the same content in pieces, however the file is cut, with a bounded piece at a time")
  func stream() throws {
    let file = Self.zeros + Self.packed + StoredGzip.file([1, 2, 3]) + [0, 0]
    for size in [1, 7, 1_000, file.count] {
      let stream = try GzipStream()
      var content: [UInt8] = []
      for start in stride(from: 0, to: file.count, by: size) {
        stream.add(Array(file[start..<min(start + size, file.count)]))
        while let piece = try stream.next() {
          #expect(!piece.isEmpty && piece.count <= 1 << 16)
          content += piece
        }
      }
      try stream.end()
      #expect(content == [UInt8](repeating: 0, count: 200_000) + Self.text + [1, 2, 3], "\(size)")
    }
  }

  @Test("a stream gives what comes before damage or the end of a truncated file, then the error")
  func brokenStream() throws {
    let cut = try GzipStream()
    cut.add(Self.packed + StoredGzip.file(Self.text).prefix(100))
    var content: [UInt8] = []
    while let piece = try cut.next() { content += piece }
    #expect(content.starts(with: Self.text) && content.count > Self.text.count)
    #expect(throws: DumpError.badGzip) { try cut.end() }
    let other = try GzipStream()
    other.add(Self.packed + [0, 1])
    #expect(try other.next() == Self.text)
    #expect(throws: DumpError.badGzip) { try other.next() }
  }

  @Test("the beginning of the content is known from the beginning of a file")
  func beginning() {
    #expect(Gzip.beginning(of: Self.packed, limit: 10) == Array(Self.text.prefix(10)))
    #expect(
      Gzip.beginning(of: Array(StoredGzip.file(Self.text).prefix(60)), limit: 1_000) == Array(Self.text.prefix(45)))
    #expect(Gzip.beginning(of: Self.text, limit: 10).isEmpty)
  }
}

/// A gzip file with stored blocks, built from the definition (RFC 1951, 3.2.4; RFC 1952).
private enum StoredGzip {
  static func file(_ bytes: [UInt8]) -> [UInt8] {
    var file: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(65_535)
      rest = rest.dropFirst(block.count)
      let count = UInt16(block.count)
      file.append(rest.isEmpty ? 1 : 0)
      file += little(UInt32(count), 2) + little(UInt32(~count), 2) + block
    } while !rest.isEmpty
    return file + little(checksum(bytes), 4) + little(UInt32(bytes.count), 4)
  }

  private static func little(_ number: UInt32, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> UInt32(8 * $0)) }
  }

  /// CRC-32, one bit at a time.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var register = UInt32.max
    for byte in bytes {
      register ^= UInt32(byte)
      for _ in 0..<8 { register = register & 1 == 1 ? register >> 1 ^ 0xEDB8_8320 : register >> 1 }
    }
    return ~register
  }
}
