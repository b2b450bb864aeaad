// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import NFCTransport

@Suite("Proxmark3 frames in a byte stream")
struct ProxmarkRepliesTests {
  private static let short: [UInt8] = [0x50, 0x4D, 0x33, 0x62, 0x00, 0x80, 0xFC, 0xFF, 0x13, 0x03, 0x62, 0x33]
  private static let long: [UInt8] =
    [0x50, 0x4D, 0x33, 0x62, 0x00, 0x82, 0x00, 0x00, 0x07, 0x01] + [UInt8](repeating: 0x50, count: 512) + [0x62, 0x33]

  private func replies(_ bytes: [UInt8], in pieces: Int, isFinal: Bool = false) -> [ProxmarkReply] {
    var parser = ProxmarkReplies()
    var found: [ProxmarkReply] = []
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      parser.add(Array(bytes[start..<min(start + pieces, bytes.count)]))
      while let reply = parser.next() { found.append(reply) }
    }
    while let reply = parser.next(isFinal: isFinal) { found.append(reply) }
    return found
  }

  @Test("are found in pieces of any size, and between other bytes", arguments: [1, 2, 7, 4096])
  func pieces(size: Int) {
    let noise: [UInt8] = [0x41, 0x54, 0x0D, 0x50, 0x4D, 0x33, 0x50, 0x4D]
    let found = replies(noise + Self.short + noise + Self.long + Self.short, in: size)
    #expect(found.map(\.command) == [0x0313, 0x0107, 0x0313])
    #expect(found.map(\.status) == [-4, 0, -4])
    #expect(found.map(\.data.count) == [0, 512, 0])
  }

  @Test("are found after a truncated one")
  func cutOff() {
    #expect(replies(Self.long.prefix(300) + Self.long + Self.short, in: 64).count == 2)
    // Only the end of the wait shows that no more bytes will come.
    #expect(replies(Self.long.prefix(100) + Self.short, in: 64).isEmpty)
    #expect(replies(Self.long.prefix(100) + Self.short, in: 64, isFinal: true).count == 1)
  }

  @Test("are ignored if they have the old format, are too long, or have another end")
  func others() {
    var old = Self.short
    old[5] = 0
    var tooLong = Self.long
    tooLong[4] = 1
    var otherEnd = Self.short
    otherEnd[11] = 0x34
    #expect(replies(old + tooLong + otherEnd + Self.short, in: 4096, isFinal: true).count == 1)
  }
}
