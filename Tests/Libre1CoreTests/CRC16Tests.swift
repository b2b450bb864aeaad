// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import Libre1Core

struct CRC16Tests {
  /// The worked examples of Libre1Core/MemoryFormat, "Checksum".
  static let examples: [(String, [UInt8], UInt16)] = [
    ("123456789", Array("123456789".utf8), 0x89F6),
    ("body of a never started sensor", [UInt8](repeating: 0, count: 294), 0xC262),
    ("header 10 16 03", [0x10, 0x16, 0x03] + [UInt8](repeating: 0, count: 19), 0xCF3A),
    ("header 18 19 03", [0x18, 0x19, 0x03] + [UInt8](repeating: 0, count: 19), 0xDC90),
    (
      "xDrip's unit test",
      Array((HexText.bytes(of: "3e4991b48bcb1bd9d3c4c14a1f24c415deaba466") ?? [])[2..<18]), 19_459
    ),
    (
      "footer, stored 58 C7",
      HexText.bytes(of: "00 01 15 04 96 50 14 07 96 80 5A 00 ED A6 12 13 1B C8 04 99 28 66") ?? [], 0xC758
    ),
  ]

  @Test("the published examples give their published checksums", arguments: examples)
  func published(name: String, bytes: [UInt8], checksum: UInt16) {
    #expect(CRC16.checksum(of: bytes) == checksum && BitwiseCRC.checksum(bytes) == checksum)
  }

  @Test("the tables agree with the definition for every length from 0 to 400")
  func lengths() {
    var random = SplitMix64(seed: 0xC4C16)
    for count in 0...400 {
      for _ in 0..<4 {
        let bytes = random.bytes(count)
        #expect(CRC16.checksum(of: bytes) == BitwiseCRC.checksum(bytes), "\(bytes)")
      }
    }
  }
}
