// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import NFCTransport
import TestSupport
import Testing

@testable import LibreKit

@Suite("Encrypted memories") struct PlainMemoryTests {
  private static let readAt = Instant(secondsSince1970: 1_714_640_400)

  private func encrypted(_ bytes: [UInt8], _ key: EncryptedKey, missing: [Int] = []) throws -> MemoryImage {
    var image = MemoryImage(
      bytes: try key.encrypted(bytes), missingBlocks: missing, uid: key.uid, patchInfo: key.patchInfo,
      readAt: Self.readAt)
    for block in missing { for index in block * 8..<block * 8 + 8 { image.bytes[index] = 0 } }
    return image
  }

  private func error(_ image: MemoryImage, salvage: Bool = false) -> LibreError? {
    #expect(throws: LibreError.self) { try image.reading(salvage: salvage) }
  }

  @Test(
    "a reading of an encrypted memory equals that of the decrypted memory, with the same id",
    arguments: EncryptedKey.all)
  func decrypted(key: EncryptedKey) throws {
    let bytes = try #require(Scenario.named("active")).memory(seed: 7)
    let image = try encrypted(bytes, key)
    var plain = image
    plain.bytes = bytes
    #expect(image.bytes != bytes)
    let found = try image.reading()
    #expect(found == (try plain.reading()))
    #expect(found.sensor.family == key.family && found.memory.bytes == bytes && found.history.count == 32)
  }

  @Test(
    "a memory decrypted by another program is left unchanged, even with UID and patch info", arguments: EncryptedKey.all
  )
  func alreadyPlain(key: EncryptedKey) throws {
    for name in ["active", "bad-header", "bad-footer"] {
      let scenario = try #require(Scenario.named(name))
      var image = try encrypted(scenario.memory(seed: 3), key)
      image.bytes = scenario.memory(seed: 3)
      #expect(try image.reading().memory.bytes == image.bytes)
    }
  }

  @Test("a wrong UID or patch info gives an error and never a sample, salvaged or not", arguments: EncryptedKey.all)
  func wrongKey(key: EncryptedKey) throws {
    let image = try encrypted(try #require(Scenario.named("active")).memory(seed: 11), key)
    for bit in 0..<48 {
      var wrong = image
      wrong.uid = SensorUID(bits: key.uid.bits ^ 1 << UInt64(bit))
      for salvage in [false, true] { expectDisagreement(wrong, key, salvage: salvage, "UID bit \(bit)") }
    }
    for bit in 0..<16 {
      var patchInfo = key.patchInfo.bytes
      patchInfo[4 + bit / 8] ^= 1 << UInt8(bit % 8)
      var wrong = image
      wrong.patchInfo = PatchInfo(patchInfo)
      for salvage in [false, true] { expectDisagreement(wrong, key, salvage: salvage, "patch info bit \(bit)") }
      // The same without UID and patch info, where the memory does not reveal its key.
      wrong.uid = nil
      expectDisagreement(wrong, key, salvage: false, "patch info bit \(bit) alone")
      var longLog = try encrypted(Self.longLog, key)
      (longLog.uid, longLog.patchInfo) = (image.uid, PatchInfo(patchInfo))
      #expect(error(longLog) == .memory(.cannotDecrypt(key.family)), "patch info bit \(bit)")
    }
  }

  /// The error names what was given and what the memory's own bytes say.
  private func expectDisagreement(_ image: MemoryImage, _ key: EncryptedKey, salvage: Bool, _ words: String) {
    let error = error(image, salvage: salvage)
    #expect(error?.code == "cannot_decrypt" && error?.family == key.family, "\(words)")
    let message = error?.message ?? ""
    if let uid = image.uid { #expect(message.contains("not with UID \(uid)"), "\(message)") }
    #expect(message.contains("with UID \(key.uid)"), "\(message)")
  }

  /// A memory with a log in the blocks that are zero in others, so that it does not reveal its key.
  private static let longLog: [UInt8] = {
    var bytes = Scenario.named("active")?.memory(seed: 1) ?? []
    for offset in 8..<24 { bytes[offset] = UInt8(offset) }
    bytes.seal(0..<24)
    return bytes
  }()

  @Test("damage is reported as in any memory after decryption", arguments: EncryptedKey.all)
  func damaged(key: EncryptedKey) throws {
    let bytes = try #require(Scenario.named("active")).memory(seed: 5)
    var garbled = bytes
    garbled[100] ^= 0x10
    #expect(error(try encrypted(bytes, key, missing: [12]))?.code == "block_missing")
    switch key.family {
    case .libre2:
      #expect(error(try encrypted(garbled, key))?.code == "crc_mismatch")
      #expect(try encrypted(garbled, key).reading(salvage: true).isSalvaged)
      let salvaged = try encrypted(bytes, key, missing: [12]).reading(salvage: true)
      #expect(salvaged.memory.missingBlocks == [12] && salvaged.memory.bytes[96..<104].allSatisfy { $0 == 0 })
    default:
      // Only the body, whose key depends on the patch info, shows that the patch info is right.
      for salvage in [false, true] {
        #expect(error(try encrypted(garbled, key), salvage: salvage) == .memory(.cannotDecrypt(key.family)))
      }
      #expect(error(try encrypted(bytes, key, missing: [12]), salvage: true) == .memory(.cannotDecrypt(key.family)))
    }
    #expect(try encrypted(bytes, key, missing: [41]).reading().integrity.footer.name == "absent")
    let torn = try #require(Scenario.named("torn")).memory(seed: 5)
    #expect(try encrypted(torn, key).reading().integrity.body == .torn)
    var short = try encrypted(bytes, key)
    short.bytes.removeLast(10)
    #expect(try short.reading().history.count == 32)
  }

  @Test("if another checksum is valid, an impossible body is reported as a wrong key")
  func impossibleBody() throws {
    let key = EncryptedKey.all[0]
    var bytes = try #require(Scenario.named("active")).memory(seed: 5)
    bytes[100] ^= 0x10
    bytes[340] ^= 0x10
    #expect(error(try encrypted(bytes, key))?.code == "crc_mismatch")
    for (offset, value) in [(26, UInt8(16)), (27, UInt8(32)), (319, UInt8(1))] {
      var impossible = bytes
      impossible[offset] = value
      #expect(error(try encrypted(impossible, key)) == .memory(.cannotDecrypt(key.family)), "byte \(offset)")
    }
  }

  @Test("a missing part of the key is named in the error if the memory does not reveal it")
  func lacking() throws {
    for key in EncryptedKey.all {
      var image = try encrypted(Self.longLog, key)
      #expect(try image.reading().history.count == 32)
      image.uid = nil
      let withoutUID = try #require(error(image))
      #expect(withoutUID == .memory(.encryptedWithoutUID(key.family)))
    }
    var image = try encrypted(Self.longLog, EncryptedKey.all[0])
    image.patchInfo = nil
    let withoutPatchInfo = try #require(error(image))
    #expect(withoutPatchInfo == .memory(.encryptedWithoutPatchInfo(.libre2)))
    #expect(withoutPatchInfo.code == "encrypted_or_unknown" && withoutPatchInfo.family == .libre2)
  }
}

/// A family's patch info and a UID of its product.
struct EncryptedKey: Sendable, CustomTestStringConvertible {
  let family: SensorFamily
  let uid: SensorUID
  let patchInfo: PatchInfo

  var testDescription: String { family.rawValue }

  static let all = [
    EncryptedKey(
      family: .libre2, uid: SensorUID(bits: 0xE007_A400_1234_5678)!,
      patchInfo: PatchInfo([0x9D, 0x08, 0x30, 0x01, 0x73, 0x17])!),
    EncryptedKey(
      family: .libreUS14Day, uid: SensorUID(bits: 0xE007_A000_8765_4321)!,
      patchInfo: PatchInfo([0xE5, 0x00, 0x03, 0x02, 0xE0, 0x12])!),
  ]

  func encrypted(_ plain: [UInt8]) throws -> [UInt8] {
    try #require(MemoryCipher(uid: uid, patchInfo: patchInfo)).applied(to: plain)
  }
}

extension MemoryImage {
  /// The memory as a dump of it is read.
  func reading(salvage: Bool = false) throws -> SensorReading {
    try DumpReading(
      memory: CheckedMemory(self), readAtSource: .file,
      source: ReadingSource(tool: "test", path: nil, format: nil, dump: nil, sha256: "")
    ).reading(calibration: .factory, salvaging: salvage)
  }
}
