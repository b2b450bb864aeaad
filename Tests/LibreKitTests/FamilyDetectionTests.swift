// SPDX-License-Identifier: Apache-2.0
import CGMModel
import DumpFormats
import NFCTransport
import TestSupport
import Testing

@testable import Libre1Core
@testable import LibreKit

struct FamilyDetectionTests {
  private static let libre1UID = LiteralMemory.uid
  private static let libre2UID = SensorUID(bits: 0xE007_A400_0204_CCEA)!
  private static let otherUID = SensorUID(bits: 0xE007_B000_0204_CCEA)!

  /// Patch infos of Libre1Core/MemoryFormat, "Patch info", with invented last bytes.
  private static let patchInfos: [(bytes: [UInt8], family: SensorFamily)] = [
    ([0xDF, 0, 0, 1, 0, 0], .libre1), ([0xA2, 8, 0, 1, 0, 0], .libre1), ([0xE5, 0, 3, 2, 0, 0], .libreUS14Day),
    ([0xE6, 0, 3, 2, 0, 0], .libreUS14Day), ([0x9D, 8, 0x30, 1, 0, 0], .libre2), ([0xC5, 9, 0x31, 1, 0, 0], .libre2),
  ]

  private func family(patchInfo: [UInt8]? = nil, uid: SensorUID? = nil, footer: SensorFamily? = nil) -> SensorFamily {
    let image = MemoryImage(bytes: [], uid: uid, patchInfo: patchInfo.flatMap(PatchInfo.init))
    return SensorFamily(ofPlain: footer, uid: image.uid, patchInfo: image.patchInfo)
  }

  @Test("a Libre Pro is recognised by its layout and never by its patch info alone")
  func pro() throws {
    for patchInfo in [nil, [0x70, 0, 0x10, 1, 0, 0], [0x9D, 8, 0x30, 1, 0, 0]] as [[UInt8]?] {
      var image = try #require(Scenario.named("pro")).image(seed: 1)
      (image.uid, image.patchInfo) = (Self.libre2UID, patchInfo.flatMap(PatchInfo.init))
      let reading = try DumpDecoder().decode(Array(HexDump.text(of: image, notes: []).utf8))
      #expect(reading.sensor.family == .librePro)
    }
    #expect(family(patchInfo: [0x70, 0, 0x10, 1, 0, 0], uid: Self.libre1UID, footer: .libre1) == .libre1)
    // A readable memory of the second generation is a decrypted Libre 2.
    for third in 0x39...0x3F as ClosedRange<UInt8> {
      #expect(family(patchInfo: [0x2B, 0x0A, third, 8, 0, 0], footer: .libre2) == .libre2)
    }
  }

  @Test("the patch info wins over UID and footer", arguments: patchInfos)
  func patchInfo(bytes: [UInt8], family expected: SensorFamily) {
    for uid in [nil, Self.libre1UID, Self.libre2UID] {
      for footer in [nil, SensorFamily.libre1, .libreUS14Day, .libre2] {
        #expect(family(patchInfo: bytes, uid: uid, footer: footer) == expected)
      }
    }
  }

  /// The UID and the footer's constants, and the family that follows.
  private static let facts: [(uid: SensorUID?, footer: SensorFamily?, family: SensorFamily)] = [
    (libre1UID, .libre1, .libre1), (libre1UID, .libreUS14Day, .libreUS14Day), (libre2UID, .libre2, .libre2),
    // One of the two is enough.
    (libre1UID, nil, .libre1), (libre2UID, nil, .libre2), (nil, .libre1, .libre1),
    (nil, .libreUS14Day, .libreUS14Day), (nil, .libre2, .libre2),
    // They contradict each other, or both say nothing.
    (libre1UID, .libre2, .unknown), (libre2UID, .libre1, .unknown), (libre2UID, .libreUS14Day, .unknown),
    (otherUID, .libre1, .unknown), (otherUID, nil, .unknown), (nil, nil, .unknown),
  ]

  @Test(
    "without patch info, or with that of an unknown product, UID and footer decide if they do not contradict each other",
    arguments: facts)
  func uidAndFooter(uid: SensorUID?, footer: SensorFamily?, family expected: SensorFamily) {
    for patchInfo in [nil, [0x01, 0, 0, 1, 0, 0]] as [[UInt8]?] {
      #expect(family(patchInfo: patchInfo, uid: uid, footer: footer) == expected)
    }
  }

  @Test("the error for a memory without a valid checksum is based on patch info and UID")
  func refusals() {
    func refusal(_ patchInfo: [UInt8]?, _ uid: SensorUID? = Self.libre2UID) -> MemoryError {
      Decryption.refusal(uid, patchInfo.flatMap { PatchInfo($0) })
    }
    #expect(refusal(nil) == .encryptedWithoutPatchInfo(.libre2))
    #expect(refusal(nil, Self.libre1UID) == .encryptedOrUnknown)
    #expect(refusal(nil, nil) == .encryptedOrUnknown)
    #expect(refusal([0xDF, 0, 0, 1, 0, 0]) == .encryptedOrUnknown)
    #expect(refusal([0x9D, 8, 0x30, 1, 0, 0], nil) == .encryptedWithoutUID(.libre2))
    #expect(refusal([0xE5, 0, 3, 2, 0, 0], nil) == .encryptedWithoutUID(.libreUS14Day))
    #expect(refusal([0x2B, 0x0A, 0x3A, 8, 0, 0]) == .unsupportedFamily(.libre2Generation2))
    #expect(refusal([0x00, 0, 0x70, 1, 0, 0]) == .unsupportedFamily(.libreSense))
    #expect(refusal((0..<24).map { $0 == 12 ? 4 : 0 }, nil) == .unsupportedFamily(.libre3))
    #expect(refusal((0..<24).map { $0 == 12 ? 9 : 0 }, nil) == .unsupportedFamily(.lingo))
  }
}
