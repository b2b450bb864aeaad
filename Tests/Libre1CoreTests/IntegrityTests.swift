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
