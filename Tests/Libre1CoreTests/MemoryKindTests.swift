// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import Libre1Core

struct MemoryKindTests {
  @Test("one region with a valid checksum proves a Libre 1 layout", arguments: MemoryBuilder.Region.allCases)
  func oneRegion(region: MemoryBuilder.Region) throws {
    var fixture = MemoryBuilder()
    fixture.bytes[100] = 7
    fixture.seal()
    for other in MemoryBuilder.Region.allCases where other != region { fixture.breakChecksum(of: other) }
    #expect(MemoryKind(of: fixture.bytes) == .libre1)
    // So does a torn body.
    if region == .body {
      fixture.age += 1
      #expect(MemoryKind(of: fixture.bytes) == .libre1)
    }
    fixture.breakChecksum(of: region)
    #expect(MemoryKind(of: fixture.bytes) == .unrecognised)
  }

  @Test("a memory of all 00 or all FF is blank, at any length", arguments: [UInt8(0x00), 0xFF])
  func blank(byte: UInt8) {
    for count in [1, 8, 176, 344, 1_952] {
      let bytes = [UInt8](repeating: byte, count: count)
      #expect(MemoryKind(of: bytes) == .blank(byte))
      #expect(throws: MemoryError.blank(byte)) { try Libre1Decoder.decode(bytes) }
    }
    var almost = [UInt8](repeating: byte, count: 344)
    almost[343] ^= 1
    for other in [almost, [UInt8](repeating: 0x55, count: 344), []] { #expect(MemoryKind(of: other) == .unrecognised) }
  }

  @Test("the three regions of a Libre Pro are recognised from 176 bytes on", arguments: [176, 344, 1_600])
  func pro(count: Int) throws {
    let bytes = Array(MemoryBuilder.pro().bytes.prefix(count))
    #expect(MemoryKind(of: bytes) == .other(LibreProMap.geometry))
    #expect(throws: MemoryError.unsupportedFamily(.librePro)) { try MemoryKind(of: bytes).requireLibre1() }
    #expect(throws: MemoryError.unsupportedFamily(.librePro)) { try Libre1Decoder.decode(bytes) }
  }

  @Test("two regions of a Libre Pro are not enough", arguments: [0, 40, 72])
  func partOfAPro(start: Int) {
    var bytes = Array(MemoryBuilder.pro().bytes.prefix(176))
    bytes[start] ^= 0x55
    #expect(MemoryKind(of: bytes) == .unrecognised)
    #expect(MemoryKind(of: Array(MemoryBuilder.pro().bytes.prefix(175))) == .unrecognised)
  }

  @Test("bytes without a known layout are unrecognised, and the decoder reports it")
  func random() throws {
    var random = SplitMix64(seed: 0xD1CE)
    for _ in 0..<200 {
      let bytes = random.bytes(344)
      #expect(MemoryKind(of: bytes) == .unrecognised)
      #expect(throws: MemoryError.encryptedOrUnknown) { try Libre1Decoder.decode(bytes) }
    }
  }

  @Test("a region with missing blocks proves nothing")
  func missingBlocks() {
    var fixture = MemoryBuilder().sealed()
    fixture.breakChecksum(of: .body)
    #expect(MemoryKind(of: fixture.bytes, missingBlocks: [1]) == .libre1)
    #expect(MemoryKind(of: fixture.bytes, missingBlocks: [1, 41]) == .unrecognised)
  }
}
