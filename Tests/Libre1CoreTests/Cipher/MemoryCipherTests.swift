// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import Libre1Core
import TestSupport
import Testing

@Suite("The cipher of Libre 2 and US 14-day sensors") struct MemoryCipherTests {
  private static let libre2 = "9D0830017317"
  private static let us14Day = "E5000302E012"

  private func keyed(_ uid: UInt64, _ patchInfo: String) -> MemoryCipher? {
    guard let uid = SensorUID(bits: uid), let bytes = HexText.bytes(of: patchInfo), let info = PatchInfo(bytes) else {
      return nil
    }
    return MemoryCipher(uid: uid, patchInfo: info)
  }

  @Test("the worked example of Libre1Core/EncryptedFamilies is reproduced byte for byte")
  func workedExample() throws {
    let cipher = try #require(keyed(0xE007_A400_00C2_819D, Self.libre2))
    let keystream: [UInt8] = [0x22, 0x60, 0x0D, 0x63, 0x8D, 0x9A, 0xF4, 0xBA]
    #expect(cipher.applied(to: Array(repeating: 0, count: 8)) == keystream)
    #expect(
      cipher.applied(to: [0x06, 0x9A, 0xDD, 0x79, 0x8E, 0x9A, 0xF4, 0xBA])
        == [0x24, 0xFA, 0xD0, 0x1A, 0x03, 0x00, 0x00, 0x00])
  }

  @Test("applying it twice restores the bytes at any length; bytes after block 42 and missing blocks are unchanged")
  func isItsOwnInverse() throws {
    let cipher = try #require(keyed(0xE007_A000_0498_82D5, Self.us14Day))
    for count in [0, 1, 7, 8, 9, 343, 344, 345, 1_952] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 + 1) }
      let encrypted = cipher.applied(to: bytes)
      #expect(cipher.applied(to: encrypted) == bytes)
      #expect(encrypted.dropFirst(344) == bytes.dropFirst(344))
      let sparse = cipher.applied(to: bytes, missing: BlockSet([1]))
      #expect(sparse.dropFirst(8).prefix(8) == bytes.dropFirst(8).prefix(8))
      #expect(sparse.prefix(8) == encrypted.prefix(8))
    }
  }

  @Test("header and footer show whether the key is right for a Libre 2, but not for a US 14-day sensor")
  func hasOneKey() throws {
    #expect(try #require(keyed(0xE007_A400_00C2_819D, Self.libre2)).hasOneKey)
    #expect(try !#require(keyed(0xE007_A000_0498_82D5, Self.us14Day)).hasOneKey)
    // Other families have no known cipher.
    for patchInfo in ["DF0000010000", "700010010000", "760939020000"] {
      #expect(keyed(0xE007_A000_0498_82D5, patchInfo) == nil)
    }
  }

  @Test("patch info decrypts only the body of a US 14-day sensor, but all of a Libre 2; the UID decrypts all of both")
  func whatTheKeyIsMadeOf() throws {
    let zero = [UInt8](repeating: 0, count: 344)
    func changed(_ one: MemoryCipher?, _ other: MemoryCipher?) throws -> Set<Int> {
      let (one, other) = (try #require(one).applied(to: zero), try #require(other).applied(to: zero))
      return Set((0..<43).filter { one[$0 * 8..<$0 * 8 + 8] != other[$0 * 8..<$0 * 8 + 8] })
    }
    let all = Set(0..<43)
    #expect(try changed(keyed(0xE007_A400_00C2_819D, Self.libre2), keyed(0xE007_A400_00C2_819D, "9D0830017318")) == all)
    #expect(
      try changed(keyed(0xE007_A000_0498_82D5, Self.us14Day), keyed(0xE007_A000_0498_82D5, "E5000302E013"))
        == Set(3..<40))
    for patchInfo in [Self.libre2, Self.us14Day] {
      for bit in [0, 15, 16, 31, 32, 47] {
        let uid: UInt64 = 0xE007_A400_00C2_819D
        #expect(try changed(keyed(uid, patchInfo), keyed(uid ^ 1 << UInt64(bit), patchInfo)).count >= 42)
      }
    }
  }

  @Test(
    "every encrypted memory decrypts to its published plaintext byte for byte",
    .enabled(if: ReferenceDumps.arePresent, "\(ReferenceDumps.absence)"),
    arguments: ReferenceDumps.vectors.filter(\.isEncrypted))
  func twins(vector: ReferenceVector) throws {
    let twin = try #require(vector.encrypted?.decryptsTo)
    let uid = try #require(vector.uid.flatMap { UInt64($0, radix: 16) })
    let patchInfo = try #require(vector.patchInfo)
    let cipher = try #require(keyed(uid, patchInfo))
    #expect(cipher.applied(to: try ReferenceDumps.bytes(of: vector.file)) == (try ReferenceDumps.bytes(of: twin)))
  }
}
