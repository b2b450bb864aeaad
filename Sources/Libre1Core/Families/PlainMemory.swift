// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// A memory after decryption, if it is encrypted and the key is known. A dump may contain the sensor's encrypted bytes,
/// or bytes that another program decrypted: the checksums show which, not the name of the family.
package struct PlainMemory {
  package let memory: CheckedMemory
  /// True if the body is proven to be decrypted with the right key; otherwise no sample may be decoded from it.
  package let isBodyProven: Bool
  let recovered: RecoveredKey?

  /// Decrypts the memory with its UID and patch info, or with a key recovered from the memory itself.
  /// - Throws: `encryptedWithoutUID`, `encryptedWithoutPatchInfo` or `cannotDecrypt` for a missing or wrong key;
  ///   `keyDisagrees` if the recovered key contradicts the given one; `unsupportedFamily` and `encryptedOrUnknown` if
  ///   no key would help.
  package init(_ memory: CheckedMemory) throws(MemoryError) {
    do throws(MemoryError) {
      try self.init(givenKeyOf: memory)
    } catch {
      let image = memory.image
      guard let key = RecoveredKey(image) else { throw error }
      guard key.agrees else { throw key.disagreement(with: image) }
      self.init(decryptedBy: key)
    }
  }

  private init(decryptedBy key: RecoveredKey) { (memory, isBodyProven, recovered) = (key.memory, true, key) }

  private init(givenKeyOf memory: CheckedMemory) throws(MemoryError) {
    recovered = nil
    let image = memory.image
    let asIs = memory.fram.integrity.trustedRegions
    guard let uid = image.uid, let patchInfo = image.patchInfo,
      let cipher = MemoryCipher(uid: uid, patchInfo: patchInfo)
    else {
      // For an incomplete body, the missing bytes are the better reason.
      let isEncrypted = image.patchInfo?.family.isEncrypted == true
      if asIs == 0, isEncrypted || image.bytes.count >= MemoryMap.body.end { throw Self.refusal(of: image) }
      self.memory = memory
      isBodyProven = true
      return
    }
    let plain = CheckedMemory(cipher.applied(to: image))
    let decrypted = plain.fram.integrity.trustedRegions
    // A checksum is valid by chance once in 65 536 times, so the result with more valid checksums is right.
    if asIs > 0, asIs >= decrypted {
      self.memory = memory
      isBodyProven = true
      return
    }
    guard decrypted > 0 else { throw .cannotDecrypt(patchInfo.family) }
    switch plain.fram.integrity.body {
    case .ok, .torn: isBodyProven = true
    case .bad:
      // Header and footer of a US 14-day sensor decrypt correctly even with a wrong patch info.
      guard cipher.hasOneKey, decrypted > 1 || Self.hasPossibleBody(plain.fram) else {
        throw .cannotDecrypt(patchInfo.family)
      }
      isBodyProven = true
    case .absent: isBodyProven = cipher.hasOneKey && (decrypted > 1 || Self.hasPossibleBody(plain.fram))
    }
    self.memory = plain
  }

  static func refusal(of image: MemoryImage) -> MemoryError {
    guard let family = image.patchInfo?.family else {
      // Only Libre 2 has this UID (verified on the reference memories), and it always encrypts.
      return image.uid?.isLibre2 == true ? .encryptedWithoutPatchInfo(.libre2) : .encryptedOrUnknown
    }
    if !family.isReadable { return .unsupportedFamily(family) }
    return family.isEncrypted && image.uid == nil ? .encryptedWithoutUID(family) : .encryptedOrUnknown
  }

  private static func hasPossibleBody(_ fram: FRAM) -> Bool {
    isPossibleBody { offset in
      fram.missingBlocks.contains(offset / MemoryMap.blockSize) ? nil : fram[offset].map(Int.init)
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
