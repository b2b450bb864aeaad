// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem
import Libre1Core
import TestSupport
import Testing

@testable import DumpFormats

struct RawDumpTests {
  @Test("accepts up to 43 blocks, cut or not, a few more, and all that NFC can address, and reports any other length")
  func lengths() throws {
    for count in [1, 176, 343, 344, 352, 1_944, 1_952] {
      let bytes = SplitMix64.noise(count)
      #expect(try RawDump().onlyImage(in: bytes) == MemoryImage(bytes: bytes))
    }
    for count in [345, 351, 353, 1_951, 1_953, 1_960, 4_096] {
      #expect(RawDump().refusal(of: SplitMix64.noise(count)) == .wrongLength(found: count))
    }
  }

  @Test("refuses text, and accepts a memory that is text except for one byte, or erased")
  func text() throws {
    for text in [String(repeating: "EC F5 A0 19\n", count: 40), "Grüße\r\n"] {
      #expect(RawDump().refusal(of: text) == .isText)
    }
    for bytes in [[UInt8](repeating: UInt8(ascii: "A"), count: 343) + [0], [UInt8](repeating: 0xFF, count: 344)] {
      #expect(try RawDump().onlyImage(in: bytes).bytes == bytes)
    }
  }

  @Test("writes the bytes and reports the facts that are lost, and writes nothing that it would not read again")
  func written() throws {
    let whole = MemoryImage(bytes: SplitMix64.noise(344), uid: SensorUID(bits: 0xE007_A000_0025_905E))
    #expect(try RawDump().file(of: whole) == whole.bytes)
    #expect(RawDump().losses(of: whole) == [.uid])
    // A text, a database, a packed file.
    for bytes in [Array("uid: E0:07:A0:00".utf8), ForeignDatabase.signature, [0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0]] {
      #expect(throws: DumpError.cannotWrite(format: "raw", obstacle: .otherContent)) {
        try RawDump().file(of: MemoryImage(bytes: bytes))
      }
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
