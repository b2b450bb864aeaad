// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import NFCTransport
import TestSupport

@testable import Libre1Core
@testable import LibreKit

/// Encrypted memories: with the right key they are what they were, and with a wrong one there is never a sample.
enum EncryptedTarget {
  static let all = [FuzzTarget(name: "encrypted", seeds: { seeds }, longest: 384, testRuns: 150, run: run)]

  /// A byte that says what is done, the UID, the patch info, the memory before it is encrypted.
  private static let seeds: [[UInt8]] = [SimulatedSensor.Product.libre2, .libreUS14Day].flatMap { product in
    let sensor = SimulatedSensor(seed: 3, product: product)
    return [30, 5_000, sensor.maxLifeMinutes + 100].map {
      [0] + sensor.uid.bytes + sensor.patchInfo.bytes + sensor.memory(atAge: $0)
    }
  }

  private static func run(_ input: [UInt8]) throws {
    var draw = FuzzBytes(input)
    let choice = draw.byte()
    let number = draw.word() & 0x00FF_FFFF_FFFF_FFFF | 0xE0 << 56
    let uid = try require(SensorUID(bits: number), "E0 is in front")
    var info = draw.bytes(6)
    // One of the two families that this cipher is for.
    if choice & 0x40 == 0 { (info[0], info[2]) = choice & 0x20 == 0 ? (0x9D, 0x30) : (0xE5, 0x00) }
    let patchInfo = try require(PatchInfo(info), "six bytes are a patch info")
    var plain = draw.some(344)
    plain += [UInt8](repeating: 0, count: 344 - plain.count)
    (plain[26], plain[27], plain[319]) = (plain[26] & 15, plain[27] & 31, 0)
    for region in SlowMemory.regions { plain.seal(region) }
    guard let cipher = MemoryCipher(uid: uid, patchInfo: patchInfo) else {
      return try require(!patchInfo.family.isEncrypted, "no cipher for an encrypted family")
    }
    let encrypted = cipher.applied(to: plain)
    try require(cipher.applied(to: encrypted) == plain, "applied twice it is the same")

    let right = MemoryImage(bytes: encrypted, uid: uid, patchInfo: patchInfo)
    let opened = try PlainMemory(CheckedMemory(right))
    // By chance what is encrypted looks plain: 1 in 65 536 for each of three checksums.
    if SlowMemory(encrypted).isUnreadable {
      try require(opened.memory.image.bytes == plain && opened.isBodyProven, "with its key it is what it was")
    }
    try wrongKey(right, choice)
  }

  /// What may be taken from it has a checksum that holds.
  private static func wrongKey(_ right: MemoryImage, _ choice: UInt8) throws {
    var wrong = right
    if choice & 1 == 0, let uid = right.uid { wrong.uid = SensorUID(bits: uid.bits ^ 1 << UInt64(choice >> 2)) }
    if choice & 2 == 0, var info = right.patchInfo?.bytes {
      info[4 + Int(choice >> 2 & 1)] ^= 1 << (choice >> 3 & 7)
      wrong.patchInfo = PatchInfo(info)
    }
    for salvaging in [false, true] {
      guard let reading = try? ReadingOracle.reading(of: wrong, salvaging: salvaging) else { continue }
      let memory = SlowMemory(reading.memory.bytes)
      if !reading.isSalvaged {
        try require(memory.body == .ok || memory.body == .torn, "samples of a body that does not hold")
      } else {
        try require(!memory.isUnreadable, "samples of a memory in which nothing holds")
      }
    }
  }
}
