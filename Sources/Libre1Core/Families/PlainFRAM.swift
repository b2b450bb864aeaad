// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// The 344 bytes of a Libre 1 or of a sensor with its layout, decrypted if they are encrypted and the key is known. The
/// bytes may be encrypted as on the sensor, or decrypted by another program: the checksums show which, not the family.
package struct PlainFRAM: Sendable {
  package let fram: FRAM
  /// True if the body is proven to be decrypted with the right key; otherwise no sample may be decoded from it.
  package let isBodyProven: Bool
  /// The cipher that decrypted the bytes; nil if they are as given.
  let cipher: MemoryCipher?
  package let recovered: RecoveredKey?

  /// Decrypts the bytes with UID and patch info, or with a key recovered from the bytes themselves.
  /// - Throws: `encryptedWithoutUID`, `encryptedWithoutPatchInfo` or `cannotDecrypt` for a missing or wrong key;
  ///   `keyDisagrees` if the recovered key contradicts the given one; `unsupportedFamily` and `encryptedOrUnknown` if
  ///   no key would help.
  package init(_ fram: FRAM, uid: SensorUID?, patchInfo: PatchInfo?) throws(MemoryError) {
    do throws(MemoryError) {
      try self.init(fram, givenUID: uid, patchInfo)
    } catch {
      guard let key = RecoveredKey(fram, uid: uid, patchInfo: patchInfo) else { throw error }
      guard key.agrees else { throw key.disagreement }
      self.init(decryptedBy: key)
    }
  }

  private init(decryptedBy key: RecoveredKey) {
    (fram, isBodyProven, cipher, recovered) = (key.plain, true, key.cipher, key)
  }

  private init(_ fram: FRAM, givenUID uid: SensorUID?, _ patchInfo: PatchInfo?) throws(MemoryError) {
    recovered = nil
    let asIs = fram.integrity.trustedRegions
    guard let uid, let patchInfo, let cipher = MemoryCipher(uid: uid, patchInfo: patchInfo) else {
      // For a body that is cut off, the missing bytes are the better reason. Without its age no sample is decoded.
      let isEncrypted = patchInfo?.family.isEncrypted == true
      let isCut = fram.missingBlocks.contains(MemoryMap.age / MemoryMap.blockSize)
      if asIs == 0, isEncrypted || !isCut { throw Self.refusal(uid, patchInfo) }
      (self.fram, isBodyProven, cipher) = (fram, true, nil)
      return
    }
    let plain = cipher.applied(to: fram)
    let decrypted = plain.integrity.trustedRegions
    // A checksum is valid by chance once in 65 536 times, so the result with more valid checksums is right.
    if asIs > 0, asIs >= decrypted {
      (self.fram, isBodyProven, self.cipher) = (fram, true, nil)
      return
    }
    guard decrypted > 0 else { throw .cannotDecrypt(patchInfo.family) }
    switch plain.integrity.body {
    case .ok, .torn: isBodyProven = true
    case .bad:
      // Header and footer of a US 14-day sensor decrypt correctly even with a wrong patch info.
      guard cipher.hasOneKey, decrypted > 1 || Self.hasPossibleBody(plain) else {
        throw .cannotDecrypt(patchInfo.family)
      }
      isBodyProven = true
    case .absent: isBodyProven = cipher.hasOneKey && (decrypted > 1 || Self.hasPossibleBody(plain))
    }
    (self.fram, self.cipher) = (plain, cipher)
  }

  /// Checks that samples may be decoded. A wrong key is found by the body's checksum, unless `salvaging` ignores it.
  func requireProvenBody(salvaging: Bool, _ patchInfo: PatchInfo?) throws(MemoryError) {
    if salvaging, !isBodyProven { throw .cannotDecrypt(patchInfo?.family ?? .unknown) }
  }

  static func refusal(_ uid: SensorUID?, _ patchInfo: PatchInfo?) -> MemoryError {
    guard let family = patchInfo?.family else {
      // Only Libre 2 has this UID (verified on the reference memories), and it always encrypts.
      return uid?.isLibre2 == true ? .encryptedWithoutPatchInfo(.libre2) : .encryptedOrUnknown
    }
    if !family.isReadable { return .unsupportedFamily(family) }
    return family.isEncrypted && uid == nil ? .encryptedWithoutUID(family) : .encryptedOrUnknown
  }

  private static func hasPossibleBody(_ fram: FRAM) -> Bool {
    isPossibleBody { offset in
      fram.missingBlocks.contains(offset / MemoryMap.blockSize) ? nil : Int(fram.byte(offset))
    }
  }

  /// False if an index is not a slot, or the byte that is always zero is not (verified on the reference memories).
  /// Random bytes pass once in 32 768 times. `byte` returns nil for a missing one.
  static func isPossibleBody(_ byte: (_ offset: Int) -> Int?) -> Bool {
    byte(MemoryMap.trendIndex).map { $0 < MemoryMap.trend.slots } ?? true
      && byte(MemoryMap.historyIndex).map { $0 < MemoryMap.history.slots } ?? true
      && byte(MemoryMap.bodyPadding).map { $0 == 0 } ?? true
  }
}
