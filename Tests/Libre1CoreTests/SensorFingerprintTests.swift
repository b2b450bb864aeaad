// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import Libre1Core

struct SensorFingerprintTests {
  private static let memory = MemoryBuilder().sealed()

  private func changed(missing: [Int] = [], flipping byte: Int? = nil) -> MemoryBuilder {
    var memory = Self.memory
    memory.missingBlocks = missing
    if let byte { memory.bytes[byte] ^= 1 }
    return memory
  }

  @Test("the fingerprint is bytes 322 to 335 and i2, its high byte first")
  func bytes() throws {
    let fingerprint = try #require(try Self.memory.validated().fingerprint)
    // Family 0, region 1, two bytes of lot, 20700 minutes, the eight constants; 803 is 0x0323.
    #expect(fingerprint.description == "0001000" + "0DC50" + "140796805A00EDA6" + "0323")
    #expect(fingerprint.bytes == Array(Self.memory.bytes[322..<336]) + [0x03, 0x23])
  }

  @Test("a dump without the last block, or with a damaged calibration in it, has the same fingerprint, but no footer")
  func lastBlock() throws {
    let whole = try #require(try Self.memory.validated().fingerprint)
    #expect(try Self.memory.validated().footerBytes == Array(Self.memory.bytes[320..<344]))
    for other in [changed(missing: [42]), changed(flipping: 340)] {
      #expect(try other.validated().fingerprint == whole && other.validated().footerBytes == nil)
    }
    #expect(try changed(flipping: 100).validated(salvaging: true).fingerprint == whole)
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
    for memory in [changed(flipping: 10), changed(missing: [40]), changed(missing: [41]), changed(flipping: 331)] {
      #expect(try memory.validated().fingerprint == nil)
    }
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

struct FooterFingerprintTests {
  private func family(constants: [UInt8], familyByte: UInt8) throws -> SensorFamily? {
    var fixture = MemoryBuilder()
    fixture.bytes[322] = familyByte
    fixture.bytes.replaceSubrange(328..<336, with: constants)
    return try fixture.sealed().validated().footerFamily
  }

  @Test("eight constants and the byte that repeats the patch info determine the family, and any other none")
  func families() throws {
    let libre1: [UInt8] = [0x14, 0x07, 0x96, 0x80, 0x5A, 0x00, 0xED, 0xA6]
    let libre2: [UInt8] = [0x14, 0x03, 0x96, 0x80, 0x5A, 0x00, 0xCD, 0xA6]
    for (constants, byte, expected) in [
      (libre1, 0x00, .libre1), (libre1, 0x03, .libreUS14Day), (libre2, 0x30, .libre2), (libre2, 0x31, .libre2),
      (libre1, 0x30, nil), ([UInt8](repeating: 0, count: 8), 0, nil),
    ] as [([UInt8], UInt8, SensorFamily?)] {
      #expect(try family(constants: constants, familyByte: byte) == expected)
    }
    for place in 0..<8 {
      var constants = libre1
      constants[place] ^= 0x01
      #expect(try family(constants: constants, familyByte: 0x00) == nil)
    }
  }
}

struct SerialNumberTests {
  @Test("the first digit is that of the family, which not every one has; the maker's byte does not affect the number")
  func familyDigits() throws {
    for (family, digit) in [
      (.libre1, "0"), (.libreUS14Day, "0"), (.librePro, "1"), (.libre2, "3"), (.libre2Generation2, "3"),
      (.libreSense, "7"), (.libre3, nil), (.lingo, nil), (.unknown, nil),
    ] as [(SensorFamily, String?)] {
      for uid in ["E007A0000025905E", "E07AA0000025905E"] {
        #expect(SerialNumber.text(for: try SensorUID(printed: uid), family: family) == digit.map { $0 + "M00009DHCR" })
      }
    }
  }

  @Test("the alphabet omits B, I, O and S, and two zero bits fill the tenth group")
  func alphabet() throws {
    var seen: Set<Character> = []
    for group in 0..<32 {
      // Group 0 is the top five of the 48 bits.
      let uid = try #require(SensorUID(bits: 0xE007_0000_0000_0000 | UInt64(group) << 43))
      let text = try #require(SerialNumber.text(for: uid, family: .libre1))
      #expect(text.dropFirst(2) == "000000000")
      seen.insert(text[text.index(after: text.startIndex)])
    }
    #expect(seen == Set("0123456789ACDEFGHJKLMNPQRTUVWXYZ"))
    let lowest = try #require(SensorUID(bits: 0xE007_0000_0000_0001))
    #expect(SerialNumber.text(for: lowest, family: .libre1) == "00000000004")
  }
}
