// SPDX-License-Identifier: Apache-2.0
import CGMModel
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

  @Test("unpacks what gzip and Python packed, in several members as from `cat a.gz b.gz`, with zeros at the end")
  func unpack() throws {
    #expect(try expanded(Self.packed) == Self.text)
    #expect(try expanded(Self.zeros) == [UInt8](repeating: 0, count: 200_000))
    #expect(try expanded(Self.bytes("1F8B080000000000020303000000000000000000")) == [], "nothing, packed by Python")
    for end in [0, 512] {
      #expect(try expanded(Self.packed + Self.packed + [UInt8](repeating: 0, count: end)) == Self.text + Self.text)
    }
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

  @Test("refuses data that is cut off at any position, other bytes after the end, and other data")
  func cut() {
    for count in 0..<Self.packed.count {
      #expect(throws: DumpError.badGzip, "\(count) bytes") { try expanded(Array(Self.packed.prefix(count))) }
    }
    for file in [Self.packed + [1], Self.packed + [0, 0, 0x1F, 0x8B], Self.text] {
      #expect(throws: DumpError.badGzip) { try expanded(file) }
    }
    #expect(Gzip.isGzip(Self.packed))
    for other: [UInt8] in [[], [0x1F], [0x1F, 0x8B], [0x1F, 0x8B, 0x07, 0, 0], [0x8B, 0x1F, 0x08]] {
      #expect(!Gzip.isGzip(other))
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

  @Test("a stream gives the same content in pieces, however the file is cut, with a bounded piece at a time")
  func stream() throws {
    let file = Self.zeros + Self.packed + [0, 0]
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
      #expect(content == [UInt8](repeating: 0, count: 200_000) + Self.text, "\(size)")
    }
  }

  @Test("a stream gives what comes before damage or the end of a truncated file, then the error")
  func brokenStream() throws {
    let cut = try GzipStream()
    cut.add(Self.packed + Self.zeros.prefix(100))
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
    #expect(Gzip.beginning(of: Array(Self.zeros.prefix(100)), limit: 1_000) == [UInt8](repeating: 0, count: 1_000))
    #expect(Gzip.beginning(of: Self.text, limit: 10).isEmpty)
  }
}
