// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import DumpFormats

struct MiaoMiaoDumpTests {
  private static let memory = TextFixture.memory
  private static let header: [UInt8] = [
    0x28, 0x01, 0x6B, 0x05, 0x97, 0x67, 0x45, 0x23, 0x01, 0x00, 0xA0, 0x07, 0xE0, 0x50, 0x00, 0x39, 0x00, 0x02,
  ]
  private let packet = header + memory + [0x29]

  @Test("reads the UID, the memory and the patch info of later firmware")
  func packets() throws {
    #expect(packet.count == 363)
    let image = MemoryImage(bytes: Self.memory, uid: TextFixture.uid)
    #expect(try MiaoMiaoDump().onlyImage(in: packet) == image)
    var later = image
    later.patchInfo = PatchInfo(TextFixture.patchInfo)
    #expect(try MiaoMiaoDump().onlyImage(in: packet + TextFixture.patchInfo) == later)
    #expect(try MiaoMiaoDump().onlyImage(in: packet + TextFixture.patchInfo.prefix(5)) == image)
    #expect(try MiaoMiaoDump().onlyImage(in: packet + TextFixture.patchInfo + [0, 0]) == later)
  }

  @Test("reads a packet that a log shows as hex digits, and is detected although they are also valid hex")
  func digits() throws {
    let image = MemoryImage(bytes: Self.memory, uid: TextFixture.uid)
    let lower = TextFixture.hex(packet, separator: "", upper: false)
    let words = stride(from: 0, to: lower.count, by: 8).map { lower.dropFirst($0).prefix(8) }
    let texts = [
      lower, TextFixture.hex(packet), TextFixture.hex(packet, separator: ", "), TextFixture.hex(packet, separator: "-"),
      "<\(words.joined(separator: " "))>\n", words.joined(separator: "\r\n"),
    ]
    let detector = DumpDetector(formats: [MiaoMiaoDump(), BubbleDump(), HexDump(), RawDump()])
    for file in texts.map({ Array($0.utf8) }) + [packet] {
      #expect(try MiaoMiaoDump().onlyImage(in: file) == image)
      #expect(try detector.parse(file) == (image, "miaomiao"))
    }
  }

  @Test("reads the available part of the memory from a packet that is cut off", arguments: [19, 100, 361, 362])
  func cut(count: Int) throws {
    #expect(
      try MiaoMiaoDump().onlyImage(in: Array(packet.prefix(count))).bytes == Array(Self.memory.prefix(count - 18)))
  }

  @Test("refuses a packet without its end byte, without start, length or UID, and with nothing after them")
  func marks() {
    func changed(_ position: Int, to byte: UInt8) -> [UInt8] {
      Array(packet[..<position]) + [byte] + packet[(position + 1)...]
    }
    #expect(MiaoMiaoDump().refusal(of: changed(362, to: 0x30)) == .badField("the end byte 29", value: "30"))
    let others = [0, 1, 2, 12].map { changed($0, to: packet[$0] ^ 0x01) } + [Self.header]
    // Text that is longer than any packet is not searched.
    let long = Array((TextFixture.hex(packet) + String(repeating: "\n", count: 4_096)).utf8)
    for other in others + [long] {
      #expect(MiaoMiaoDump().refusal(of: other) == .notThisFormat(lacks: "28 01 6B at the start and a UID"))
    }
  }
}

struct BubbleDumpTests {
  private let memory = TextFixture.memory
  private let uid: [UInt8] = [0x67, 0x45, 0x23, 0x01, 0x00, 0xA0, 0x07, 0xE0]

  @Test("reads the memory and the UID in either order, as bytes and as hex digits, and drops an ambiguous UID")
  func packets() throws {
    let image = MemoryImage(bytes: memory, uid: TextFixture.uid)
    #expect(try BubbleDump().onlyImage(in: uid + memory) == image)
    #expect(try BubbleDump().onlyImage(in: uid.reversed() + memory) == image)
    #expect(try BubbleDump().onlyImage(in: TextFixture.hex(uid + memory)) == image)
    // The byte order of this UID is ambiguous.
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
      #expect(BubbleDump().refusal(of: packet) == .notThisFormat(lacks: "a UID and 344 bytes"))
    }
  }
}
