// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import DumpFormats

struct BubbleDumpTests {
  private let memory = TextFixture.memory
  private let uid: [UInt8] = [0x67, 0x45, 0x23, 0x01, 0x00, 0xA0, 0x07, 0xE0]

  @Test("reads the UID in either order and the memory, as bytes and as hex digits")
  func packets() throws {
    let image = MemoryImage(bytes: memory, uid: TextFixture.uid)
    #expect(try BubbleDump().onlyImage(in: uid + memory) == image)
    #expect(try BubbleDump().onlyImage(in: uid.reversed() + memory) == image)
    #expect(try BubbleDump().onlyImage(in: TextFixture.hex(uid + memory)) == image)
  }

  @Test("drops a UID whose byte order is ambiguous")
  func unsettledUID() throws {
    #expect(try BubbleDump().onlyImage(in: [0xE0, 7, 0, 0, 0, 0, 0, 0xE0] + memory) == MemoryImage(bytes: memory))
  }

  @Test("a raw dump of 44 blocks has the same length, but its checksums identify it")
  func detection() throws {
    let detector = DumpDetector(formats: [BubbleDump(), HexDump(), RawDump()])
    #expect(try detector.parse(uid + memory).format == "bubble")
    #expect(try detector.parse(Array(TextFixture.hex(uid + memory).utf8)).format == "bubble")
    // A memory whose eighth byte is E0, like that of a UID.
    var raw = MemoryBuilder.pattern(count: 352)
    raw.bytes[7] = 0xE0
    raw.seal([.header])
    #expect(try BubbleDump().onlyImage(in: raw.bytes).bytes == Array(raw.bytes.dropFirst(8)))
    let found = try detector.parse(raw.bytes)
    #expect(found.format == "raw")
    #expect(found.image.bytes == raw.bytes)
  }

  @Test("refuses a packet without E0 at either end of the UID, or of another length")
  func marks() {
    let packets = [Array(uid.dropLast()) + [0xE1] + memory, uid + memory.dropLast(), uid + memory + [0], uid]
    for packet in packets {
      #expect(throws: DumpError.notThisFormat(lacks: "a UID and 344 bytes")) { try BubbleDump().onlyImage(in: packet) }
    }
  }
}
