// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// The cipher of Libre1Core/EncryptedFamilies, "Keystream" word for word, a block and a word at a time.
struct SlowCipher {
  private let u: [UInt16]
  private let info: [UInt8]
  private let isUS: Bool

  init(uid: SensorUID, patchInfo: PatchInfo) {
    u = uid.bytes.reversed().map(UInt16.init)
    info = patchInfo.bytes
    isUS = [0xE5, 0xE6].contains(patchInfo.bytes[0])
  }

  func applied(to bytes: [UInt8]) -> [UInt8] {
    let key = (0..<43).flatMap { self.key(of: $0) }
    return bytes.enumerated().map { offset, byte in offset < key.count ? byte ^ key[offset] : byte }
  }

  private func key(of block: Int) -> [UInt8] {
    let k: [UInt16] = [0xA0C5, 0x6860, 0x0000, 0x14C6]
    func op(_ v: UInt16) -> UInt16 { (v >> 2) ^ (v & 1 == 1 ? k[1] : 0) ^ (v & 2 == 2 ? k[0] : 0) }
    let word = UInt16(info[5]) << 8 | UInt16(info[4])
    let y = isUS ? ((3...39).contains(block) ? word : 0xCADC) : word ^ 0x0044
    let b = UInt16(block)
    let s1 = (u[5] << 8 | u[4]) &+ b &+ y
    let s2 = (u[3] << 8 | u[2]) &+ k[2]
    let s3 = (u[1] << 8 | u[0]) &+ 2 * b
    let s4 = 0x241A ^ k[3]
    let r0 = op(s1) ^ s4
    let r1 = op(r0) ^ s3
    let r2 = op(r1) ^ s2
    let r3 = op(r2) ^ s1
    let r4 = op(r3)
    let r5 = op(r4 ^ r0)
    let r6 = op(r5 ^ r1)
    let r7 = op(r6 ^ r2)
    return [r3 ^ r7, r2 ^ r6, r1 ^ r5, r0 ^ r4].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
  }
}
