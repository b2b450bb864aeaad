// SPDX-License-Identifier: Apache-2.0
import CGMModel
package import Libre1Core
import SensorCipher

/// An image with its bytes made plain, where they are encrypted and the key is known.
///
/// A dump may hold either: the sensor's own bytes, or what another program has made of them. The checksums tell which,
/// not the name of the family.
package struct PlainMemory {
  package let memory: CheckedImage
  /// False where nothing tells whether the body was decrypted with the right key: then no sample may be taken from it.
  package let isBodyProven: Bool
  /// The key, if it was recovered from the memory itself.
  let recovered: RecoveredKey?

  /// Throws what is lacking or wrong with the key, where the memory needs one and does not give it up:
  /// `encryptedWithoutUID`, `encryptedWithoutPatchInfo`, `cannotDecrypt`; `keyDisagrees` where it does and another one
  /// came with it; `unsupportedFamily` and `encryptedOrUnknown` where no key would help.
  package init(_ memory: CheckedImage) throws(MemoryError) {
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

  /// Decrypts with the key made of UID and patch info.
  private init(givenKeyOf memory: CheckedImage) throws(MemoryError) {
    recovered = nil
    let image = memory.image
    let asIs = memory.fram.trustedRegions
    guard let uid = image.uid, let patchInfo = image.patchInfo,
      let cipher = MemoryCipher(uid: uid, patchInfo: patchInfo)
    else {
      // Of less than a whole body, what is lacking is the better reason.
      let isEncrypted = image.patchInfo?.family.isEncrypted == true
      if asIs == 0, isEncrypted || image.bytes.count >= MemoryMap.body.end { throw Self.refusal(of: image) }
      self.memory = memory
      isBodyProven = true
      return
    }
    let plain = CheckedImage(cipher.applied(to: image))
    let decrypted = plain.fram.trustedRegions
    // By chance a checksum holds once in 65 536 times, so one is not enough where the other reading has more.
    if asIs > 0, asIs >= decrypted {
      self.memory = memory
      isBodyProven = true
      return
    }
    guard decrypted > 0 else { throw .cannotDecrypt(patchInfo.family) }
    switch plain.fram.integrity.body {
    case .ok, .torn: isBodyProven = true
    case .bad:
      // Of a US 14-day sensor header and footer come out right with a wrong patch info.
      guard cipher.hasOneKey, decrypted > 1 || Self.hasPossibleBody(plain.fram) else {
        throw .cannotDecrypt(patchInfo.family)
      }
      isBodyProven = true
    case .absent: isBodyProven = cipher.hasOneKey && (decrypted > 1 || Self.hasPossibleBody(plain.fram))
    }
    self.memory = plain
  }

  /// Why a memory in which no checksum holds cannot be read, where there is no key to try.
  static func refusal(of image: MemoryImage) -> MemoryError {
    guard let family = image.patchInfo?.family else {
      // Only Libre 2 has this UID (verified on the reference memories), and it always encrypts.
      return image.uid?.product == 0xA4 ? .encryptedWithoutPatchInfo(.libre2) : .encryptedOrUnknown
    }
    if !family.isReadable { return .unsupportedFamily(family) }
    return family.isEncrypted && image.uid == nil ? .encryptedWithoutUID(family) : .encryptedOrUnknown
  }

  private static func hasPossibleBody(_ fram: FRAM) -> Bool {
    isPossibleBody { offset in
      fram.missingBlocks.contains(offset / MemoryMap.blockSize) ? nil : fram[offset].map(Int.init)
    }
  }

  /// False for noise but once in 32 768 times: indices that are no slots, or something in the byte that is always zero
  /// (verified on the reference memories). `byte` is nil for one that is missing.
  static func isPossibleBody(_ byte: (_ offset: Int) -> Int?) -> Bool {
    byte(MemoryMap.trendIndex).map { $0 < MemoryMap.trend.slots } ?? true
      && byte(MemoryMap.historyIndex).map { $0 < MemoryMap.history.slots } ?? true
      && byte(MemoryMap.bodyPadding).map { $0 == 0 } ?? true
  }
}
