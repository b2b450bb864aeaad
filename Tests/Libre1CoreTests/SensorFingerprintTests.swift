// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import Libre1Core

struct SensorFingerprintTests {
  private static let memory = MemoryBuilder().sealed()

  @Test("the fingerprint is bytes 322 to 335 and i2, its high byte first")
  func bytes() throws {
    let fingerprint = try #require(try Self.memory.validated().fingerprint)
    // Family 0, region 1, two bytes of lot, 20700 minutes, the eight constants; 803 is 0x0323.
    #expect(fingerprint.description == "0001000" + "0DC50" + "140796805A00EDA6" + "0323")
    #expect(fingerprint.bytes == Array(Self.memory.bytes[322..<336]) + [0x03, 0x23])
  }

  @Test("a dump without the last block, or with a damaged calibration in it, has the same fingerprint")
  func lastBlock() throws {
    let whole = try #require(try Self.memory.validated().fingerprint)
    var lacking = Self.memory
    lacking.missingBlocks = [42]
    #expect(try lacking.validated().fingerprint == whole)
    var damaged = Self.memory
    damaged.bytes[340] ^= 0xFF
    #expect(try damaged.validated().fingerprint == whole)
    var salvaged = Self.memory
    salvaged.bytes[100] ^= 0xFF
    #expect(try salvaged.validated(salvaging: true).fingerprint == whole)
  }

  @Test("the minute of the scan does not change the fingerprint, but another i2 or another lot does")
  func others() throws {
    let whole = try Self.memory.validated().fingerprint
    #expect(try MemoryBuilder(state: 5, age: 9_000).sealed().validated().fingerprint == whole)
    var other = MemoryBuilder()
    other.setTableIndex(i1: 0, i2: 804)
    #expect(try other.sealed().validated().fingerprint != whole)
    other = MemoryBuilder()
    other.bytes[324] = 9
    #expect(try other.sealed().validated().fingerprint != whole)
  }

  @Test("without a good header, without block 40 or 41, or with other constants there is no fingerprint")
  func none() throws {
    var memory = Self.memory
    memory.bytes[10] ^= 1
    #expect(try memory.validated().fingerprint == nil)
    for block in [40, 41] {
      memory = Self.memory
      memory.missingBlocks = [block]
      #expect(try memory.validated().fingerprint == nil)
    }
    memory = Self.memory
    memory.bytes[331] ^= 1
    #expect(try memory.validated().fingerprint == nil)
  }

  @Test("a footer is worth storing if its checksum is valid")
  func footer() throws {
    #expect(try Self.memory.validated().footerBytes == Array(Self.memory.bytes[320..<344]))
    var damaged = Self.memory
    damaged.bytes[340] ^= 1
    #expect(try damaged.validated().footerBytes == nil)
    var lacking = Self.memory
    lacking.missingBlocks = [42]
    #expect(try lacking.validated().footerBytes == nil)
  }

  @Test(
    "different sensors of the real memories have different fingerprints, and each sensor has one in all its scans",
    .enabled(if: ReferenceDumps.arePresent, "\(ReferenceDumps.absence)"))
  func reference() throws {
    var footers: [SensorFingerprint: Set<[UInt8]>] = [:]
    var fingerprints: [String: Set<SensorFingerprint>] = [:]
    for vector in ReferenceDumps.vectors where vector.isReadable && vector.crc?.footer == true {
      let memory = try Libre1Decoder.decode(ReferenceDumps.bytes(of: vector.file)).memory
      guard let fingerprint = memory.fingerprint, let footer = memory.footerBytes else { continue }
      footers[fingerprint, default: []].insert(footer)
      if let uid = vector.uid { fingerprints[uid, default: []].insert(fingerprint) }
    }
    print("fingerprints: \(footers.count) of as many footers; \(fingerprints.count) UIDs")
    #expect(footers.count >= 20)
    #expect(footers.values.allSatisfy { $0.count == 1 })
    #expect(fingerprints.values.allSatisfy { $0.count == 1 })
  }
}
