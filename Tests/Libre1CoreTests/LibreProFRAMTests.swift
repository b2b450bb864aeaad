// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import Libre1Core

@Suite("A Libre Pro memory")
struct LibreProFRAMTests {
  @Test("the memory has at least the 176 bytes with checksums", arguments: [0, 1, 175])
  func tooShort(count: Int) {
    let image = MemoryImage(bytes: Array(MemoryBuilder.pro().bytes.prefix(count)))
    #expect(throws: MemoryError.wrongLength(found: count, needed: 176)) { try ValidatedLibrePro(CheckedMemory(image)) }
  }

  @Test("the memory gives the sensor's identity")
  func header() throws {
    let memory = try MemoryBuilder.pro().validatedPro()
    #expect((memory.state, memory.text, memory.region) == (.active, "TEST000-T0000A", .european))
    #expect((memory.maxLifeMinutes, memory.minimumRawGlucose) == (20_160, 150))
    #expect((memory.ageMinutes, memory.trendIndex, memory.historyCount) == (4_000, 15, 266))
    #expect(memory.integrity == MemoryIntegrity(header: .ok, body: .ok, footer: .ok) && !memory.isSalvaged)
    #expect(memory.endOfLife.isEmpty && memory.failure == nil)
  }

  @Test("unprintable text is not returned", arguments: [24, 30, 37], [0x00, 0x1F, 0x7F, 0xC3] as [UInt8])
  func text(offset: Int, byte: UInt8) throws {
    var fixture = MemoryBuilder.pro()
    fixture.bytes[offset] = byte
    fixture.seal()
    #expect(try fixture.validatedPro().text == nil)
    fixture.bytes[offset] = 0x20
    fixture.bytes[38] = 0xC3
    fixture.seal()
    #expect(try fixture.validatedPro().text?.utf8.count == 14)
  }

  @Test("the memory has a log of the states that it left, and in state 6 the failure instead")
  func log() throws {
    var fixture = MemoryBuilder.pro()
    fixture.bytes.replaceSubrange(2..<9, with: [0x00, 0x20, 0x05, 0x00, 0x04, 0xC0, 0x4E])
    fixture.seal()
    var memory = try fixture.validatedPro()
    #expect(memory.endOfLife == [EndOfLifeEntry(leftState: .expired, minute: SensorMinute(20_160))])
    #expect(memory.failure == nil)
    fixture.bytes.replaceSubrange(4..<9, with: [0x06, 0x00, 0x0D, 0x10, 0x27])
    fixture.seal()
    memory = try fixture.validatedPro()
    #expect(memory.endOfLife.isEmpty)
    #expect(memory.failure == SensorFailure(code: 0x0D, minute: SensorMinute(10_000)))
  }

  @Test("facts from a region with an invalid checksum are not returned")
  func damagedRegions() throws {
    var fixture = MemoryBuilder.pro()
    fixture.bytes[30] ^= 1
    fixture.bytes[60] ^= 1
    let memory = try fixture.validatedPro()
    #expect((memory.state, memory.text, memory.endOfLife) == (.unknown(nil), nil, []))
    #expect((memory.region, memory.maxLifeMinutes, memory.minimumRawGlucose) == (nil, nil, 150))
    #expect(memory.integrity.header.name == "bad" && memory.integrity.footer.name == "bad")
    let trend = memory.trend
    #expect(trend.count == 16 && trend.allSatisfy { $0.temperatureCelsius == nil && $0.quality == .ok })
  }

  @Test("the memory fails with its body, and can be salvaged if its minute is known")
  func damagedBody() throws {
    var fixture = MemoryBuilder.pro()
    fixture.bytes[100] ^= 1
    let stored = UInt16(fixture.number(at: 72))
    #expect(
      throws: MemoryError.crcMismatch(region: .body, stored: stored, computed: fixture.checksum(of: .body))
    ) { try fixture.validatedPro() }
    // It is never torn: the age that its checksum covers is read together with it.
    var later = MemoryBuilder.pro()
    later.age += 1
    #expect(CheckedMemory(later.image).integrity(in: LibreProMap.geometry).body.name == "bad")
    let decoded = try fixture.validatedPro(salvaging: true)
    #expect(decoded.isSalvaged)
    #expect(decoded.problems.first == .salvaged)
    #expect(decoded.history.count == 266)

    fixture.missingBlocks = [12]
    #expect(throws: MemoryError.blockMissing(region: .body, blocks: BlockSet([12]))) { try fixture.validatedPro() }
    // Block 12, bytes 96 to 103, holds parts of slots 2 and 3.
    #expect(try fixture.validatedPro(salvaging: true).trend.count == 14)
    fixture.missingBlocks = [9]
    #expect(throws: MemoryError.undatable(blocks: BlockSet([9]))) { try fixture.validatedPro(salvaging: true) }
  }

  @Test("the index is always a slot of the trend", arguments: [16, 17, 255, 256, 65_535])
  func trendIndex(index: Int) {
    let error = MemoryError.ringIndexOutOfRange(ring: .trend, index: index, slots: 16)
    #expect(throws: error) { try MemoryBuilder.pro(trendIndex: index).validatedPro() }
    #expect(throws: error) { try MemoryBuilder.pro(trendIndex: index).validatedPro(salvaging: true) }
  }

  @Test(
    "the history is limited by the age and by fourteen days",
    arguments: [
      (4_000, 267, 266), (14, 1, 0), (0, 1, 0), (29, 2, 1), (20_160, 1_345, 1_344), (65_535, 1_345, 1_344),
      (65_535, 65_535, 1_344),
    ])
  func historyCount(age: Int, count: Int, possible: Int) {
    #expect(throws: MemoryError.ringIndexOutOfRange(ring: .history, index: count, slots: possible)) {
      try MemoryBuilder.pro(age: age, historyCount: count).validatedPro()
    }
    #expect(throws: Never.self) { try MemoryBuilder.pro(age: age, historyCount: possible).validatedPro() }
  }
}
