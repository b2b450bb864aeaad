// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import DumpFormats

struct ProxmarkBinaryDumpTests {
  private let format = ProxmarkBinaryDump()

  /// The client's structure, with literal offsets: 64 lock bytes in 2139 bytes, 160 in 2235, 256 in 2332.
  static func file(
    memory: [UInt8], lockCount: Int, uid: [UInt8] = [0x67, 0x45, 0x23, 0x01, 0x00, 0xA0, 0x07, 0xE0], size: UInt8 = 8,
    pages: Int? = nil
  ) -> [UInt8] {
    let pages = pages ?? memory.count / 8
    var bytes = uid + [0, 0, 0, 0, size, UInt8(pages & 0xFF)]
    if lockCount == 256 { bytes.append(UInt8(pages >> 8)) }
    bytes += [0] + Array(repeating: 0, count: lockCount)
    bytes += memory + Array(repeating: 0, count: 2_048 - memory.count)
    return bytes + Array(repeating: 0, count: 12)
  }

  private func file(_ memory: [UInt8] = TextFixture.memory) -> [UInt8] { Self.file(memory: memory, lockCount: 160) }

  @Test(
    "reads the structures of three client generations, distinguished by length",
    arguments: [(64, 2_139), (160, 2_235), (256, 2_332)])
  func ages(lockCount: Int, length: Int) throws {
    for memory in [TextFixture.memory, TextFixture.fullMemory] {
      let bytes = Self.file(memory: memory, lockCount: lockCount)
      #expect(bytes.count == length)
      #expect(try format.onlyDump(in: bytes) == Dump(image: MemoryImage(bytes: memory, uid: TextFixture.uid)))
    }
  }

  @Test("reads a UID in either order, and treats zeros and the client's placeholder as no UID")
  func uid() throws {
    let image = { (uid: [UInt8]) throws -> MemoryImage in
      try format.onlyDump(in: Self.file(memory: TextFixture.memory, lockCount: 160, uid: uid)).image
    }
    #expect(try image([0xE0, 0x07, 0xA0, 0x00, 0x01, 0x23, 0x45, 0x67]).uid == TextFixture.uid)
    #expect(try image([0, 0, 0, 0, 0, 0, 0, 0]).uid == nil)
    #expect(try image([0, 0, 0, 0, 0, 0, 0, 0xE0]).uid == nil)
    #expect(throws: DumpError.badField("uid", value: "0102030405060708")) { try image([1, 2, 3, 4, 5, 6, 7, 8]) }
  }

  @Test("refuses a wrong page count and impossible memory lengths")
  func pages() {
    let dump = { (lockCount: Int, size: UInt8, pages: Int) throws in
      try format.onlyDump(in: Self.file(memory: [], lockCount: lockCount, size: size, pages: pages))
    }
    #expect(throws: DumpError.badField("bytesPerPage", value: "0")) { try dump(160, 0, 43) }
    #expect(throws: DumpError.badField("pagesCount", value: "0")) { try dump(160, 8, 0) }
    #expect(throws: DumpError.badField("pagesCount", value: "9")) { try dump(160, 255, 9) }
    #expect(throws: DumpError.badField("pagesCount", value: "65535")) { try dump(256, 255, 65_535) }
    #expect(throws: DumpError.wrongLength(found: 2_048)) { try dump(256, 8, 256) }
    #expect(throws: DumpError.wrongLength(found: 345)) { try dump(256, 1, 345) }
  }

  @Test("refuses any other length, and text")
  func others() {
    for count in [1, 344, 2_138, 2_140, 2_234, 2_236, 2_331, 2_333] {
      #expect {
        try format.onlyDump(in: [UInt8](repeating: 0, count: count))
      } throws: { error in
        if case DumpError.notThisFormat = error { true } else { false }
      }
    }
    #expect(throws: DumpError.isText) { try format.onlyDump(in: String(repeating: "A", count: 2_235)) }
    #expect(throws: DumpError.empty) { try format.onlyDump(in: "") }
  }

  @Test("recognises the client's defect, also in a file that a later client copied", arguments: [160, 256])
  func defect(lockCount: Int) throws {
    let bytes = Self.file(memory: TextFixture.overwritten(), lockCount: lockCount)
    #expect(try format.onlyDump(in: bytes) == TextFixture.salvaged(uid: TextFixture.uid))
    let sound = Self.file(memory: Array(TextFixture.overwritten().prefix(1_280)), lockCount: lockCount)
    #expect(try format.onlyDump(in: sound).defect == nil)
  }

  @Test("knows that a client with room for 64 lock bytes overwrote 180 bytes of 244 pages")
  func oldDefect() throws {
    let bytes = Self.file(memory: TextFixture.overwritten(180), lockCount: 64)
    #expect(try format.onlyDump(in: bytes) == TextFixture.salvaged(blocks: 23, uid: TextFixture.uid))
  }
}
