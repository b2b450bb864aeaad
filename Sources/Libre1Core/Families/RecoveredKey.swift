// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// The key of an encrypted memory, recovered from its own bytes: from a block of the header that is zero in most
/// sensors, and proven by all three checksums of the decrypted memory.
///
/// | family | keys tried |
/// |---|---|
/// | Libre 2, generation 1 | the key of blocks 1 and 2, for all blocks |
/// | US 14 day | the same for header and footer; for the body every patch info, of which exactly one must be proven |
///
/// With 65,536 patch infos, a checksum of 16 bits alone would accept one by chance. So a body must also have two valid
/// indices that agree with its age, and zero in the byte that is zero in every memory: 22 more bits of proof.
///
/// The patch info is derived from the key, not read. The UID is derived too, unless one that fits the key was given:
/// bytes that the key does not contain are assumed to be those of every known sensor of the product.
package struct RecoveredKey: Sendable {
  package let family: SensorFamily
  package let cipher: MemoryCipher
  package let uid: SensorUID
  /// Its first two bytes, the product's type, are unknown.
  private let patchInfo: PatchInfo

  package init?(_ image: MemoryImage) {
    self.init(FRAM(padding: image), uid: image.uid, patchInfo: image.patchInfo)
  }

  /// Recovers the key; nil if none is proven, as for a memory with a damaged or missing block.
  init?(_ fram: FRAM, uid given: SensorUID?, patchInfo: PatchInfo?) {
    guard fram.missingBlocks.isEmpty else { return nil }
    // A right UID with a patch info needs no recovered key.
    let given = patchInfo == nil ? given : nil
    for block in Self.zeroBlocks {
      let bytes = fram.bytes.span.extracting(block * MemoryMap.blockSize..<(block + 1) * MemoryMap.blockSize)
      guard let words = KeyWords(ofZeros: bytes, block: block) else { continue }
      var plain = fram
      plain.apply(MemoryCipher(headerAndFooter: words, body: words))
      let integrity = plain.integrity
      // Many keys are tried for a body, and a file may have the same block a million times.
      guard integrity.header == .ok, integrity.footer == .ok else { continue }
      if integrity.body.isTrusted {
        self.init(.libre2, words, body: words, given, footer: plain)
        return
      }
      if let uid = words.uid(of: .libreUS14Day, given), words.isUS14Day(uid),
        let body = Self.us14Day(fram, words, uid)
      {
        self.init(.libreUS14Day, words, body: body, given, footer: plain)
        return
      }
    }
    return nil
  }

  private init?(
    _ family: SensorFamily, _ words: KeyWords, body: KeyWords, _ given: SensorUID?, footer plain: borrowing FRAM
  ) {
    guard let uid = words.uid(of: family, given), let end = body.patchInfoEnd(of: family, uid) else { return nil }
    let bytes: InlineArray<6, UInt8> = [
      0, 0, plain.byte(MemoryMap.familyByte), plain.byte(MemoryMap.region),
      UInt8(truncatingIfNeeded: end), UInt8(truncatingIfNeeded: end &>> 8),
    ]
    guard let patchInfo = PatchInfo(in: bytes.span) else { return nil }
    (self.family, self.uid, self.patchInfo) = (family, uid, patchInfo)
    cipher = MemoryCipher(headerAndFooter: words, body: body)
  }

  var facts: KeyFacts { KeyFacts(uid: uid, patchInfo: patchInfo, isDerived: true) }

  func agrees(with uid: SensorUID?, _ patchInfo: PatchInfo?) -> Bool {
    if let uid, !uid.isWithheld, uid != self.uid { return false }
    guard let patchInfo else { return true }
    return patchInfo.family == family && patchInfo.cipherWord == self.patchInfo.cipherWord
  }

  func disagreement(with uid: SensorUID?, _ patchInfo: PatchInfo?) -> MemoryError {
    .keyDisagrees(family, given: KeyFacts(uid: uid, patchInfo: patchInfo), recovered: facts)
  }

  /// The blocks of the header that are zero unless the log is long.
  private static let zeroBlocks = 1...2

  /// True if an encrypted memory may begin there: a look for each byte of a file, which random bytes pass once in 65,536
  /// times. The log fills block 1 before block 2, so the second one is asked.
  package static func mayBegin(at start: Int, in bytes: Span<UInt8>) -> Bool {
    KeyWords.mayBeZeros(bytes, at: start + 2 * MemoryMap.blockSize)
  }

  private static func us14Day(_ fram: FRAM, _ words: KeyWords, _ uid: SensorUID) -> KeyWords? {
    var found: KeyWords?
    for word in UInt16.min...UInt16.max {
      let body = words.us14DayBody(word: word, uid)
      guard hasPossibleBody(fram, body) else { continue }
      var plain = fram
      plain.apply(MemoryCipher(headerAndFooter: words, body: body))
      if plain.integrity.body.isTrusted, hasIndicesOfItsAge(plain) {
        if found != nil { return nil }
        found = body
      }
    }
    return found
  }

  /// True if the newest records are from the minute and quarter of an hour of the age, or from the ones before (derived
  /// from all reference memories).
  private static func hasIndicesOfItsAge(_ plain: FRAM) -> Bool {
    guard let memory = try? plain.validated(), let maxLife = memory.maxLifeMinutes,
      let trend = memory.timeline.newestTrendMinute, let history = memory.timeline.newestHistoryMinute
    else { return false }
    let quarter = MemoryMap.history.minutesPerSlot
    return memory.ageMinutes - trend.value <= 1
      && min(memory.ageMinutes, maxLife) / quarter - history.value / quarter <= 1
  }

  private static func hasPossibleBody(_ fram: FRAM, _ body: KeyWords) -> Bool {
    Decryption.isPossibleBody { offset in
      let key = MemoryCipher.keystream(of: body, block: offset / MemoryMap.blockSize)
      return Int(fram.byte(offset) ^ UInt8(truncatingIfNeeded: key &>> UInt64(offset % MemoryMap.blockSize * 8)))
    }
  }
}
