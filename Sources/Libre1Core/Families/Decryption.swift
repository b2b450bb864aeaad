// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// The decryption of the memory of a Libre 1 or of a sensor with its layout. The bytes may be encrypted as on the sensor,
/// plain, or decrypted by another program: the checksums show which, not the family.
package struct Decryption: Sendable {
  /// True if the body is proven to be decrypted with the right key; otherwise no sample may be decoded from it.
  package let isBodyProven: Bool
  /// The cipher that decrypted the bytes; nil if they are as given.
  let cipher: MemoryCipher?
  package let recovered: RecoveredKey?

  /// Decrypts the bytes in place, with UID and patch info, or with a key recovered from the bytes themselves. After an
  /// error they are as given.
  /// - Throws: `encryptedWithoutUID`, `encryptedWithoutPatchInfo` or `cannotDecrypt` for a missing or wrong key;
  ///   `keyDisagrees` if the recovered key contradicts the given one; `unsupportedFamily` and `encryptedOrUnknown` if
  ///   no key would help.
  package init(_ fram: inout FRAM, uid: SensorUID?, patchInfo: PatchInfo?) throws(MemoryError) {
    do throws(MemoryError) {
      try self.init(&fram, givenUID: uid, patchInfo)
    } catch {
      guard let key = RecoveredKey(fram, uid: uid, patchInfo: patchInfo) else { throw error }
      guard key.agrees(with: uid, patchInfo) else { throw key.disagreement(with: uid, patchInfo) }
      fram.apply(key.cipher)
      self.init(isBodyProven: true, by: key.cipher, key)
    }
  }

  /// Decrypts the bytes in place, if they may be decoded: `bytes` are those that `fram` was made of.
  /// - Throws: also `blank`, and `unsupportedFamily` for the memory of a Libre Pro, which has another layout.
  @inline(never) package init(
    decodable fram: inout FRAM, of bytes: Span<UInt8>, uid: SensorUID?, patchInfo: PatchInfo?, salvaging: Bool
  ) throws(MemoryError) {
    if fram.integrity.trustedRegions == 0 {
      let isReadable = patchInfo?.family.isReadable ?? true
      if case .blank(let byte) = MemoryKind(ofUnproven: bytes), isReadable { throw .blank(byte) }
      let (pro, missing) = (LibreProMap.geometry, fram.missingBlocks)
      if pro.suits(pro.integrity(of: fram.bytes.span, missing: missing), patchInfo) {
        throw .unsupportedFamily(pro.family)
      }
    }
    try self.init(&fram, uid: uid, patchInfo: patchInfo)
    try requireProvenBody(salvaging: salvaging, patchInfo)
  }

  private init(isBodyProven: Bool, by cipher: MemoryCipher?, _ recovered: RecoveredKey? = nil) {
    (self.isBodyProven, self.cipher, self.recovered) = (isBodyProven, cipher, recovered)
  }

  private init(_ fram: inout FRAM, givenUID uid: SensorUID?, _ patchInfo: PatchInfo?) throws(MemoryError) {
    let asIs = fram.integrity.trustedRegions
    guard let uid, let patchInfo, let cipher = MemoryCipher(uid: uid, patchInfo: patchInfo) else {
      // The missing bytes are the better reason for a body that is cut off. No sample is decoded without its age.
      let isPlain = patchInfo.map { $0.family.isReadable && !$0.family.isEncrypted } ?? true
      let isCut = fram.missingBlocks.contains(MemoryMap.age / MemoryMap.blockSize)
      if asIs == 0, !isPlain || !isCut { throw Self.refusal(uid, patchInfo) }
      self.init(isBodyProven: true, by: nil)
      return
    }
    fram.apply(cipher)
    // A checksum is valid by chance once in 65 536 times, so the result with more valid checksums is right.
    if asIs > 0, asIs >= fram.integrity.trustedRegions {
      fram.apply(cipher)
      self.init(isBodyProven: true, by: nil)
      return
    }
    guard let isBodyProven = Self.isBodyProven(fram, by: cipher) else {
      fram.apply(cipher)
      throw .cannotDecrypt(patchInfo.family)
    }
    self.init(isBodyProven: isBodyProven, by: cipher)
  }

  /// Returns nil if the cipher has a wrong key.
  private static func isBodyProven(_ plain: FRAM, by cipher: MemoryCipher) -> Bool? {
    let decrypted = plain.integrity.trustedRegions
    guard decrypted > 0 else { return nil }
    // Header and footer of a US 14-day sensor decrypt correctly even with a wrong patch info.
    let isPossible = cipher.hasOneKey && (decrypted > 1 || hasPossibleBody(plain))
    return switch plain.integrity.body {
    case .ok, .torn: true
    case .bad: isPossible ? true : nil
    case .absent: isPossible
    }
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
