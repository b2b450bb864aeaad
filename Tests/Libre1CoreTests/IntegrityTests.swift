// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import Libre1Core

struct IntegrityTests {
  /// Random contents with possible ring indices and right checksums.
  private func randomFixture(_ seed: UInt64) -> MemoryBuilder {
    var random = SplitMix64(seed: seed)
    var fixture = MemoryBuilder()
    fixture.bytes = random.bytes(344)
    fixture.bytes[26] &= 15
    fixture.bytes[27] &= 31
    fixture.setNumber(1_000, at: 316)
    return fixture.sealed()
  }

  @Test("a flipped bit is always detected, in its own region and with both numbers")
  func everyBit() throws {
    let good = randomFixture(2)
    for offset in 0..<344 {
      for bit in 0..<8 {
        var fixture = good
        fixture.bytes[offset] ^= 1 << UInt8(bit)
        let integrity = try fixture.fram().integrity
        let region: MemoryBuilder.Region = offset < 24 ? .header : offset < 320 ? .body : .footer
        let stored = UInt16(fixture.number(at: fixture.layout.range(of: region).lowerBound))
        let bad = RegionVerdict.bad(stored: stored, computed: fixture.checksum(of: region))
        // Bit 0 of age 1000 makes 1001: exactly what a minute that ticked during the read leaves.
        let body: RegionVerdict = offset == 316 && bit == 0 ? .torn : bad
        let expected =
          switch region {
          case .header: MemoryIntegrity(header: bad, body: .ok, footer: .ok)
          case .body: MemoryIntegrity(header: .ok, body: body, footer: .ok)
          case .footer: MemoryIntegrity(header: .ok, body: .ok, footer: bad)
          }
        #expect(integrity == expected, "byte \(offset), bit \(bit)")
      }
    }
  }

  /// A memory whose body was sealed at `sealed` and whose age then reads `stored`.
  private func ticked(sealed: Int, stored: Int) throws -> FRAM {
    var fixture = MemoryBuilder(age: sealed).sealed()
    fixture.setNumber(stored, at: 316)
    return try fixture.fram()
  }

  @Test(
    "a body is torn only if its checksum is valid with the age of the minute before, also across the byte boundary",
    arguments: [
      (1_000, 1_001, true), (0, 1, true), (255, 256, true), (511, 512, true), (65_534, 65_535, true),
      (1_000, 1_002, false), (1_001, 1_000, false), (1, 0, false), (65_535, 0, false),
    ])
  func torn(sealed: Int, stored: Int, isTorn: Bool) throws {
    let fram = try ticked(sealed: sealed, stored: stored)
    guard isTorn else {
      #expect(fram.integrity.body.name == "bad")
      #expect(throws: MemoryError.self) { try fram.validated() }
      return
    }
    #expect(fram.integrity == MemoryIntegrity(header: .ok, body: .torn, footer: .ok))
    let memory = try fram.validated()
    #expect(memory.ageMinutes == sealed && memory.storedAgeMinutes == stored && !memory.isSalvaged)
  }

  @Test("missing blocks make their region absent, with their numbers, and do not affect other regions")
  func absent() throws {
    var fixture = MemoryBuilder().sealed()
    fixture.missingBlocks = [2, 5, 39, 42]
    #expect(
      try fixture.fram().integrity
        == MemoryIntegrity(
          header: .absent(BlockSet([2])), body: .absent(BlockSet([5, 39])), footer: .absent(BlockSet([42]))))
    fixture.missingBlocks = [42]
    #expect(
      try fixture.fram().integrity == MemoryIntegrity(header: .ok, body: .ok, footer: .absent(BlockSet([42]))))
  }
}

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
