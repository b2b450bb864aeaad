// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import NFCTransport
import TestSupport
import Testing

@testable import Libre1Core
@testable import LibreKit

@Suite("Encrypted memories without a key") struct RecoveredKeyTests {
  private struct Key {
    let family: SensorFamily
    let uid: SensorUID
    let patchInfo: PatchInfo
    let recovered: String

    init(_ family: SensorFamily, _ uid: UInt64, _ patchInfo: [UInt8], _ recovered: String) throws {
      self.family = family
      self.uid = try #require(SensorUID(bits: uid))
      self.patchInfo = try #require(PatchInfo(patchInfo))
      self.recovered = recovered
    }

    static func all() throws -> [Key] {
      [
        try Key(.libre2, 0xE007_A400_1234_5678, [0x9D, 0x08, 0x30, 0x01, 0x73, 0x17], "7317"),
        try Key(.libreUS14Day, 0xE007_A000_8765_4321, [0xE5, 0x00, 0x03, 0x02, 0xE0, 0x12], "E012"),
      ]
    }

    func encrypted(_ plain: [UInt8]) throws -> [UInt8] {
      try #require(MemoryCipher(uid: uid, patchInfo: patchInfo)).applied(to: plain)
    }
  }

  private func reading(_ image: MemoryImage) throws -> SensorReading {
    try DumpReading(
      memory: CheckedMemory(image), readAtSource: .unknown,
      source: ReadingSource(tool: "test", path: nil, format: nil, dump: nil, sha256: "")
    ).reading(calibration: .factory, salvaging: false)
  }

  private static let active = Scenario.named("active")?.memory(seed: 7) ?? []

  @Test("a memory alone is decrypted; the key shows parts of UID and patch info; ids stay unknown")
  func alone() throws {
    for key in try Key.all() {
      let found = try reading(MemoryImage(bytes: key.encrypted(Self.active)))
      #expect(found.memory.bytes == Self.active && found.history.count == 32 && found.trend.count == 16)
      #expect(
        found.sensor.uid == nil && found.sensor.serial == nil && found.samples.allSatisfy { found.id(of: $0) == nil })
      #expect(found.sensor.family == key.family)
      guard case .keyRecovered(let uid, let patchInfo) = found.problems.last else {
        Issue.record("\(found.problems)")
        continue
      }
      #expect(uid == key.uid && patchInfo.hasPrefix("xxxx") && patchInfo.hasSuffix(key.recovered))
      // Only the second of the two blocks is encrypted.
      var filled = Self.active
      for offset in 8..<16 { filled[offset] = 0x5A }
      filled.seal(0..<24)
      #expect(try reading(MemoryImage(bytes: key.encrypted(filled))).memory.bytes == filled)
    }
  }

  @Test("a UID or patch info that matches the key is accepted and gives the ids")
  func given() throws {
    for key in try Key.all() {
      let bytes = try key.encrypted(Self.active)
      let withUID = try reading(MemoryImage(bytes: bytes, uid: key.uid))
      #expect(withUID.sensor.uid == key.uid && withUID.samples.allSatisfy { withUID.id(of: $0) != nil })
      let withPatchInfo = try reading(MemoryImage(bytes: bytes, patchInfo: key.patchInfo))
      #expect(withPatchInfo.sensor.uid == nil && withPatchInfo.sensor.patchInfo == key.patchInfo)
      // The bits of the UID that the key reveals, and the product; bits 32 to 39 are mixed with the patch info.
      for bit in Array(0..<32) + Array(40..<48) {
        guard let wrong = SensorUID(bits: key.uid.bits ^ 1 << UInt64(bit)) else { continue }
        #expect(throws: LibreError.self, "bit \(bit)") { try reading(MemoryImage(bytes: bytes, uid: wrong)) }
      }
    }
  }

  @Test("damaged memories and noise prove no key and give no sample")
  func damaged() throws {
    let random = SplitMix64(seed: 28)
    let keys = try Key.all()
    // For a damaged memory, about two wrong patch infos pass the first check.
    let encrypted = try keys.map { try $0.encrypted(Self.active) }
    for round in 0..<TestTier.rounds(60, full: 10_000) {
      var bytes = encrypted[round % 2]
      let place = random.integer(in: 0...343, at: 2 * round)
      bytes[place] ^= UInt8(random.integer(in: 1...255, at: 2 * round + 1))
      #expect(RecoveredKey(MemoryImage(bytes: bytes)) == nil, "byte \(place)")
      #expect(throws: LibreError.self, "byte \(place)") { try reading(MemoryImage(bytes: bytes)) }
    }
  }

  @Test("a key found by search is accepted only if the indices of the body match its age")
  func indices() throws {
    var plain = Self.active
    plain[26] = (plain[26] + 5) % 16
    plain.seal(24..<320)
    let (libre2, us14Day) = (try Key.all()[0], try Key.all()[1])
    #expect(RecoveredKey(MemoryImage(bytes: try libre2.encrypted(plain)))?.memory.image.bytes == plain)
    let bytes = try us14Day.encrypted(plain)
    #expect(RecoveredKey(MemoryImage(bytes: bytes)) == nil)
    let given = try reading(MemoryImage(bytes: bytes, uid: us14Day.uid, patchInfo: us14Day.patchInfo))
    #expect(given.memory.bytes == plain)
  }

  @Test("a body changed in the middle of a read is repaired; with a missing block no key is proven")
  func tornAndMissing() throws {
    for key in try Key.all() {
      let torn = try #require(Scenario.named("torn")).memory(seed: 5)
      #expect(try reading(MemoryImage(bytes: key.encrypted(torn))).integrity.body == .torn)
      var image = MemoryImage(bytes: try key.encrypted(Self.active), missingBlocks: [20])
      for offset in 160..<168 { image.bytes[offset] = 0 }
      #expect(throws: LibreError.self) { try reading(image) }
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
        #expect(throws: LibreError.self, "\(path), UID bit \(bit)") { try reading(image) }
      }
      for bit in 0..<16 {
        var wrong = patchInfo
        wrong[4 + bit / 8] ^= 1 << UInt8(bit % 8)
        let image = MemoryImage(bytes: bytes, uid: SensorUID(bits: uid), patchInfo: PatchInfo(wrong))
        #expect(throws: LibreError.self, "\(path), patch info bit \(bit)") { try reading(image) }
      }
    }
    #expect(count == 18)
  }
}
