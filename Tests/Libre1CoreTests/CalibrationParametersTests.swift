// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import Libre1Core

struct CalibrationParametersTests {
  @Test("12 13 1B C8 04 99 28 66 give i3 18, i4 6931, i5 8804, i6 6536, and header bytes 18 19 give i2 803")
  func workedExample() throws {
    var fixture = MemoryBuilder()
    fixture.bytes.replaceSubrange(2..<4, with: [0x18, 0x19])
    fixture.bytes.replaceSubrange(336..<344, with: [0x12, 0x13, 0x1B, 0xC8, 0x04, 0x99, 0x28, 0x66])
    let parameters = try fixture.sealed().validated().calibrationParameters
    #expect(parameters == CalibrationParameters(i1: 0, i2: 803, i3: 18, i4: 6_931, i5: 8_804, i6: 6_536))
  }

  /// Bit 33 is bit 1 of byte 340.
  @Test("bit 33 makes i3 negative and changes nothing else")
  func negativeI3() throws {
    var fixture = MemoryBuilder()
    fixture.bytes.replaceSubrange(336..<344, with: [0x12, 0x13, 0x1B, 0xC8, 0x06, 0x99, 0x28, 0x66])
    let parameters = try fixture.sealed().validated().calibrationParameters
    #expect(parameters == CalibrationParameters(i1: 0, i2: 803, i3: -18, i4: 6_931, i5: 8_804, i6: 6_536))
  }

  @Test("each field ends where the next one begins")
  func extremes() throws {
    var fixture = MemoryBuilder()
    fixture.bytes.replaceSubrange(2..<4, with: [0xFF, 0x1F])
    fixture.bytes.replaceSubrange(336..<344, with: [0xFF, 0xFF, 0x3F, 0x00, 0x02, 0xFF, 0xFF, 0xFF])
    #expect(
      try fixture.sealed().validated().calibrationParameters
        == CalibrationParameters(i1: 7, i2: 1_023, i3: -255, i4: 16_383, i5: 16_380, i6: 16_380))
    // All bits that belong to no field.
    fixture.bytes.replaceSubrange(2..<4, with: [0x00, 0xE0])
    fixture.bytes.replaceSubrange(336..<344, with: [0x00, 0x00, 0xC0, 0xFF, 0xFD, 0x00, 0x00, 0x00])
    #expect(
      try fixture.sealed().validated().calibrationParameters
        == CalibrationParameters(i1: 0, i2: 0, i3: 0, i4: 0, i5: 0, i6: 0))
  }
}
