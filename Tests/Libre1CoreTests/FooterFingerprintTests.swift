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
