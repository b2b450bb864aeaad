// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import NFCTransport
import TestSupport
import Testing

@testable import Libre1Core
@testable import LibreKit

@Suite("Encrypted memories without a key") struct RecoveredKeyTests {
  private static let active = Scenario.named("active")?.memory(seed: 7) ?? []

  @Test("a memory alone is decrypted; the key shows parts of UID and patch info; ids stay unknown")
  func alone() throws {
    for key in EncryptedKey.all {
      let found = try MemoryImage(bytes: key.encrypted(Self.active)).reading()
      #expect(found.memory.bytes == Self.active && found.history.count == 32 && found.trend.count == 16)
      #expect(
        found.sensor.uid == nil && found.sensor.serial == nil && found.samples.allSatisfy { found.id(of: $0) == nil })
      #expect(found.sensor.family == key.family)
      guard case .keyRecovered(let uid, let patchInfo) = found.problems.last else {
        Issue.record("\(found.problems)")
        continue
      }
      #expect(
        uid == key.uid && patchInfo.hasPrefix("xxxx")
          && patchInfo.hasSuffix(HexText.string(of: key.patchInfo.bytes[4...])))
      // Only the second of the two blocks is encrypted.
      var filled = Self.active
      for offset in 8..<16 { filled[offset] = 0x5A }
      filled.seal(0..<24)
      #expect(try MemoryImage(bytes: key.encrypted(filled)).reading().memory.bytes == filled)
    }
  }

  @Test("a UID or patch info that matches the key is accepted and gives the ids")
  func given() throws {
    for key in EncryptedKey.all {
      let bytes = try key.encrypted(Self.active)
      let withUID = try MemoryImage(bytes: bytes, uid: key.uid).reading()
      #expect(withUID.sensor.uid == key.uid && withUID.samples.allSatisfy { withUID.id(of: $0) != nil })
      let withPatchInfo = try MemoryImage(bytes: bytes, patchInfo: key.patchInfo).reading()
      #expect(withPatchInfo.sensor.uid == nil && withPatchInfo.sensor.patchInfo == key.patchInfo)
      // The bits of the UID that the key reveals, and the product; bits 32 to 39 are mixed with the patch info.
      for bit in Array(0..<32) + Array(40..<48) {
        guard let wrong = SensorUID(bits: key.uid.bits ^ 1 << UInt64(bit)) else { continue }
        #expect(throws: LibreError.self, "bit \(bit)") { try MemoryImage(bytes: bytes, uid: wrong).reading() }
      }
    }
  }

  @Test("damaged memories and noise prove no key and give no sample")
  func damaged() throws {
    let random = SplitMix64(seed: 28)
    let keys = EncryptedKey.all
    // For a damaged memory, about two wrong patch infos pass the first check.
    let encrypted = try keys.map { try $0.encrypted(Self.active) }
    for round in 0..<TestTier.rounds(60, full: 10_000) {
      var bytes = encrypted[round % 2]
      let place = random.integer(in: 0...343, at: 2 * round)
      bytes[place] ^= UInt8(random.integer(in: 1...255, at: 2 * round + 1))
      #expect(RecoveredKey(MemoryImage(bytes: bytes)) == nil, "byte \(place)")
      #expect(throws: LibreError.self, "byte \(place)") { try MemoryImage(bytes: bytes).reading() }
    }
  }

  @Test("a key found by search is accepted only if the indices of the body match its age")
  func indices() throws {
    var plain = Self.active
    plain[26] = (plain[26] + 5) % 16
    plain.seal(24..<320)
    let (libre2, us14Day) = (EncryptedKey.all[0], EncryptedKey.all[1])
    let encrypted = try libre2.encrypted(plain)
    #expect(RecoveredKey(MemoryImage(bytes: encrypted))?.cipher.applied(to: encrypted) == plain)
    let bytes = try us14Day.encrypted(plain)
    #expect(RecoveredKey(MemoryImage(bytes: bytes)) == nil)
    let given = try MemoryImage(bytes: bytes, uid: us14Day.uid, patchInfo: us14Day.patchInfo).reading()
    #expect(given.memory.bytes == plain)
  }

  @Test("a body changed in the middle of a read is repaired; with a missing block no key is proven")
  func tornAndMissing() throws {
    for key in EncryptedKey.all {
      let torn = try #require(Scenario.named("torn")).memory(seed: 5)
      #expect(try MemoryImage(bytes: key.encrypted(torn)).reading().integrity.body == .torn)
      var image = MemoryImage(bytes: try key.encrypted(Self.active), missingBlocks: [20])
      for offset in 160..<168 { image.bytes[offset] = 0 }
      #expect(throws: LibreError.self) { try image.reading() }
    }
  }

  @Test(
    "all encrypted memories decrypt without a key, and with one wrong bit all are refused",
    .enabled(if: ReferenceDumps.areLaterPresent, "\(ReferenceDumps.absence)"))
  func twins() throws {
    var count = 0
    for (path, facts) in try ReferenceDumps.entries() {
      guard let twin = facts["encrypted"]["decryptsTo"].text, let given = facts["patchInfo"].text,
        let uid = facts["uid"].text.flatMap({ UInt64($0, radix: 16) }),
        let patchInfo = HexText.bytes(of: given)
      else { continue }
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      let plain = [UInt8](try Data(contentsOf: folder.appendingPathComponent(twin)))
      #expect(try PlainMemory(CheckedMemory(MemoryImage(bytes: bytes))).memory.image.bytes == plain, "\(path)")
      count += 1
      for bit in 0..<48 {
        let image = MemoryImage(
          bytes: bytes, uid: SensorUID(bits: uid ^ 1 << UInt64(bit)), patchInfo: PatchInfo(patchInfo))
        #expect(throws: LibreError.self, "\(path), UID bit \(bit)") { try image.reading() }
      }
      for bit in 0..<16 {
        var wrong = patchInfo
        wrong[4 + bit / 8] ^= 1 << UInt8(bit % 8)
        let image = MemoryImage(bytes: bytes, uid: SensorUID(bits: uid), patchInfo: PatchInfo(wrong))
        #expect(throws: LibreError.self, "\(path), patch info bit \(bit)") { try image.reading() }
      }
    }
    #expect(count == 18)
  }
}
