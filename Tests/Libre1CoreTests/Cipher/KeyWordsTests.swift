// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import NFCTransport
import Testing

@Suite("Key words recovered from a block of zeros") struct KeyWordsTests {
  private static let zeros = [UInt8](repeating: 0, count: 344)

  private func cipher(_ uid: UInt64, _ patchInfo: [UInt8]) throws -> MemoryCipher {
    let uid = try #require(SensorUID(bits: uid))
    let patchInfo = try #require(PatchInfo(patchInfo))
    return try #require(MemoryCipher(uid: uid, patchInfo: patchInfo))
  }

  @Test("the keystream of every block gives the same words, and they decrypt the memory")
  func everyBlock() throws {
    let cipher = try cipher(0xE007_A400_00C2_819D, [0x9D, 0x08, 0x30, 0x01, 0x73, 0x17])
    let keystream = cipher.applied(to: Self.zeros)
    let words = try (0..<43).map { block in
      try #require(KeyWords(ofZeros: keystream[8 * block..<8 * block + 8], block: block))
    }
    #expect(Set(words).count == 1)
    #expect(MemoryCipher(headerAndFooter: words[0], body: words[0]) == cipher)
    #expect(words[0].assumedUID(of: .libre2)?.description == "E007A40000C2819D")
    let uid = try #require(SensorUID(bits: 0xE007_A400_00C2_819D))
    #expect(words[0].patchInfoEnd(of: .libre2, uid) == 0x1773 && words[0].isOf(uid, .libre2))
    // The upper half is a sum with the patch info; the product and the lower half are independent of it.
    for (bits, isOf) in [
      (UInt64(0xE07A_A401_00C2_819D), true), (0xE007_A000_00C2_819D, false), (0xE007_A400_00C2_819C, false),
      (0xE007_A400_00C3_819D, false),
    ] {
      #expect(words[0].isOf(try #require(SensorUID(bits: bits)), .libre2) == isOf)
    }
    for block in [0, 3, 39, 42] {
      let bytes = keystream[8 * block..<8 * block + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      #expect(MemoryCipher.keystream(of: words[0], block: block) == bytes)
    }
  }

  @Test("the header of a US 14-day sensor gives the UID, and one word of the body gives the patch info")
  func us14Day() throws {
    let cipher = try cipher(0xE007_A000_0498_82D5, [0xE5, 0x00, 0x03, 0x02, 0xE0, 0x12])
    let keystream = cipher.applied(to: Self.zeros)
    let header = try #require(KeyWords(ofZeros: keystream[8..<16], block: 1))
    let body = try #require(KeyWords(ofZeros: keystream[24..<32], block: 3))
    let uid = try #require(SensorUID(bits: 0xE007_A000_0498_82D5))
    #expect(header.isUS14Day(uid) && !body.isUS14Day(uid) && header.us14DayBody(word: 0x12E0, uid) == body)
    #expect(header.assumedUID(of: .libreUS14Day)?.description == "E007A000049882D5")
    #expect(body.patchInfoEnd(of: .libreUS14Day, uid) == 0x12E0)
    #expect(MemoryCipher(headerAndFooter: header, body: body) == cipher)
  }

  @Test("sixteen constant bits detect random bytes in all but one of 65,536 cases")
  func noise() {
    let random = SplitMix64(seed: 1)
    var passed = 0
    for round in 0..<10_000 {
      let bytes = (0..<8).map { UInt8(random.integer(in: 0...255, at: 8 * round + $0)) }
      if KeyWords(ofZeros: bytes, block: 1) != nil { passed += 1 }
    }
    #expect(passed <= 2)
    #expect(KeyWords(ofZeros: [1, 2, 3], block: 1) == nil)
    #expect(KeyWords(ofZeros: [UInt8](repeating: 0, count: 8), block: -1) == nil)
  }

  @Test("other families have no assumed UID", arguments: [SensorFamily.libre1, .librePro, .libre2Generation2, .libre3])
  func otherFamilies(family: SensorFamily) throws {
    let keystream = try cipher(0xE007_A400_00C2_819D, [0x9D, 0x08, 0x30, 0x01, 0x73, 0x17]).applied(to: Self.zeros)
    let words = try #require(KeyWords(ofZeros: keystream[8..<16], block: 1))
    let uid = try #require(SensorUID(bits: 0xE007_A400_00C2_819D))
    #expect(words.assumedUID(of: family) == nil && words.patchInfoEnd(of: family, uid) == nil)
    #expect(!words.isOf(uid, family))
  }
}
