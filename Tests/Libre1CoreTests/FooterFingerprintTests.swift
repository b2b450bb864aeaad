// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import Libre1Core

struct FooterFingerprintTests {
  private func family(constants: [UInt8], familyByte: UInt8) throws -> SensorFamily? {
    var fixture = MemoryBuilder()
    fixture.bytes[322] = familyByte
    fixture.bytes.replaceSubrange(328..<336, with: constants)
    return try fixture.sealed().validated().footerFamily
  }

  @Test("eight constants and the byte that repeats the patch info determine the family")
  func families() throws {
    let libre1: [UInt8] = [0x14, 0x07, 0x96, 0x80, 0x5A, 0x00, 0xED, 0xA6]
    let libre2: [UInt8] = [0x14, 0x03, 0x96, 0x80, 0x5A, 0x00, 0xCD, 0xA6]
    #expect(try family(constants: libre1, familyByte: 0x00) == .libre1)
    #expect(try family(constants: libre1, familyByte: 0x03) == .libreUS14Day)
    #expect(try family(constants: libre2, familyByte: 0x30) == .libre2)
    #expect(try family(constants: libre2, familyByte: 0x31) == .libre2)
  }

  @Test("any other constant determines no family")
  func others() throws {
    let libre1: [UInt8] = [0x14, 0x07, 0x96, 0x80, 0x5A, 0x00, 0xED, 0xA6]
    for place in 0..<8 {
      var constants = libre1
      constants[place] ^= 0x01
      #expect(try family(constants: constants, familyByte: 0x00) == nil)
    }
    #expect(try family(constants: libre1, familyByte: 0x30) == nil)
    #expect(try family(constants: [UInt8](repeating: 0, count: 8), familyByte: 0) == nil)
  }
}
