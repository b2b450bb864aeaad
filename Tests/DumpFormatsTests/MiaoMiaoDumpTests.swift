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

  @Test("reads a packet that a log shows as hex digits")
  func digits() throws {
    let image = MemoryImage(bytes: Self.memory, uid: TextFixture.uid)
    let lower = TextFixture.hex(packet, separator: "", upper: false)
    let words = stride(from: 0, to: lower.count, by: 8).map { lower.dropFirst($0).prefix(8) }
    let texts = [
      lower, TextFixture.hex(packet), TextFixture.hex(packet, separator: ", "), TextFixture.hex(packet, separator: "-"),
      "<\(words.joined(separator: " "))>\n", words.joined(separator: "\r\n"),
    ]
    for text in texts { #expect(try MiaoMiaoDump().onlyImage(in: text) == image) }
  }

  @Test("looks for no packet in a text that is longer than any")
  func longText() {
    let text = TextFixture.hex(packet) + String(repeating: "\n", count: 4_096)
    #expect(throws: DumpError.notThisFormat(lacks: "28 01 6B at the start and a UID")) {
      try MiaoMiaoDump().onlyImage(in: text)
    }
  }

  @Test("is detected although its digits are also valid hex")
  func detection() throws {
    let detector = DumpDetector(formats: [MiaoMiaoDump(), BubbleDump(), HexDump(), RawDump()])
    for file in [packet, Array(TextFixture.hex(packet).utf8)] {
      let found = try detector.parse(file)
      #expect(found.format == "miaomiao")
      #expect(found.image.bytes == Self.memory)
    }
  }

  @Test("reads the available part of the memory from a packet that is cut off", arguments: [19, 100, 361, 362])
  func cut(count: Int) throws {
    #expect(
      try MiaoMiaoDump().onlyImage(in: Array(packet.prefix(count))).bytes == Array(Self.memory.prefix(count - 18)))
  }

  @Test("refuses a packet without its end byte")
  func endMark() {
    var packet = packet
    packet[362] = 0x30
    #expect(throws: DumpError.badField("the end byte 29", value: "30")) { try MiaoMiaoDump().onlyImage(in: packet) }
  }

  @Test("refuses a packet without start, length and UID, or with nothing after them", arguments: [0, 1, 2, 12])
  func marks(position: Int) {
    var packet = packet
    packet[position] ^= 0x01
    #expect(throws: DumpError.notThisFormat(lacks: "28 01 6B at the start and a UID")) {
      try MiaoMiaoDump().onlyImage(in: packet)
    }
    #expect(throws: DumpError.notThisFormat(lacks: "28 01 6B at the start and a UID")) {
      try MiaoMiaoDump().onlyImage(in: Self.header)
    }
  }
}
