// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem
import Libre1Core
import TestSupport
import Testing

@testable import DumpFormats

struct RawDumpTests {
  @Test(
    "accepts up to 43 blocks, cut or not, a few more, and all that NFC can address",
    arguments: [1, 176, 343, 344, 352, 1_944, 1_952])
  func lengths(count: Int) throws {
    let bytes = SplitMix64.noise(count)
    #expect(try RawDump().onlyImage(in: bytes) == MemoryImage(bytes: bytes))
  }

  @Test(
    "refuses and reports a length that is not a whole number of blocks or is larger than any sensor",
    arguments: [345, 351, 353, 1_951, 1_953, 1_960, 4_096])
  func wrongLength(count: Int) {
    #expect(throws: DumpError.wrongLength(found: count)) { try RawDump().onlyImage(in: SplitMix64.noise(count)) }
  }

  @Test("refuses text, because text contains no memory bytes")
  func text() {
    #expect(throws: DumpError.isText) {
      try RawDump().onlyImage(in: Array(String(repeating: "EC F5 A0 19\n", count: 40).utf8))
    }
    #expect(throws: DumpError.isText) { try RawDump().onlyImage(in: Array("Grüße\r\n".utf8)) }
  }

  @Test("accepts a memory that is text except for one byte")
  func almostText() throws {
    var bytes = [UInt8](repeating: UInt8(ascii: "A"), count: 344)
    bytes[343] = 0
    #expect(try RawDump().onlyImage(in: bytes).bytes == bytes)
  }

  @Test("accepts erased memory, which contains no control characters either")
  func erased() throws {
    let bytes = [UInt8](repeating: 0xFF, count: 344)
    #expect(try RawDump().onlyImage(in: bytes).bytes == bytes)
  }

  @Test("writes the bytes, and reports the facts that are lost")
  func written() throws {
    let whole = MemoryImage(bytes: SplitMix64.noise(344), uid: SensorUID(bits: 0xE007_A000_0025_905E))
    #expect(try RawDump().file(of: whole) == whole.bytes)
    #expect(RawDump().losses(of: whole) == [.uid])
  }

  @Test(
    "refuses to write data that it would not read again: text, a database, a packed file",
    arguments: [Array("uid: E0:07:A0:00".utf8), ForeignDatabase.signature, [0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0]])
  func otherContent(bytes: [UInt8]) {
    #expect(throws: DumpError.cannotWrite(format: "raw", obstacle: .otherContent)) {
      try RawDump().file(of: MemoryImage(bytes: bytes))
    }
  }

  @Test("separates consecutive memories if one after the first has valid checksums")
  func severalMemories() throws {
    let first = MemoryBuilder.pattern().bytes
    var other = first
    other[100] ^= 1
    other.seal(24..<320)
    for before in [first, [UInt8](repeating: 0, count: 344)] {
      let dumps = Array(try RawDump().dumps(in: DumpFile(before + other))).compactMap { try? $0.get().image.bytes }
      #expect(dumps == [before, other])
    }
    for writer in [RawDump(), HexDump(), ProxmarkEMLDump()] as [any DumpWriter] {
      #expect(throws: DumpError.cannotWrite(format: writer.name, obstacle: .severalMemories)) {
        try writer.file(of: MemoryImage(bytes: first + other))
      }
    }
    // No checksum is valid after a memory of 86 blocks.
    let long = first + [UInt8](repeating: 7, count: 344)
    #expect(try RawDump().onlyImage(in: long).bytes == long)
  }
}

extension SplitMix64 {
  /// Bytes that are not text.
  fileprivate static func noise(_ count: Int) -> [UInt8] {
    var random = SplitMix64(seed: UInt64(count))
    return [0x00] + random.bytes(count - 1)
  }
}
