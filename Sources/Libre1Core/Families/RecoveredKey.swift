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
package struct RecoveredKey {
  let family: SensorFamily
  let cipher: MemoryCipher
  /// The memory with all 43 blocks decrypted; UID and patch info are the given ones.
  let memory: CheckedMemory
  let uid: SensorUID
  /// Bytes 4 and 5 of the patch info.
  let patchInfoEnd: [UInt8]

  /// Recovers the key; nil if none is proven, as for a memory with a damaged or missing block.
  package init?(_ image: MemoryImage) {
    guard image.bytes.count >= MemoryMap.byteCount, image.missingBlocks.allSatisfy({ $0 >= MemoryMap.blockCount })
    else { return nil }
    for block in Self.zeroBlocks {
      let bytes = image.bytes[block * MemoryMap.blockSize..<(block + 1) * MemoryMap.blockSize]
      guard let words = KeyWords(ofZeros: bytes, block: block) else { continue }
      let plain = CheckedMemory(MemoryCipher(headerAndFooter: words, body: words).applied(to: image))
      let integrity = plain.fram.integrity
      // Many keys are tried for a body, and a file may have the same block a million times.
      guard integrity.header == .ok, integrity.footer == .ok else { continue }
      if integrity.body.isTrusted {
        self.init(.libre2, plain, words, body: words)
        return
      }
      if let uid = Self.uid(of: image, .libreUS14Day, words), words.isUS14Day(uid),
        let (plain, body) = Self.us14Day(image, words, uid)
      {
        self.init(.libreUS14Day, plain, words, body: body)
        return
      }
    }
    return nil
  }

  private init?(_ family: SensorFamily, _ memory: CheckedMemory, _ words: KeyWords, body: KeyWords) {
    guard let uid = Self.uid(of: memory.image, family, words), let end = body.patchInfoEnd(of: family, uid) else {
      return nil
    }
    (self.family, self.memory, self.uid, patchInfoEnd) = (family, memory, uid, end)
    cipher = MemoryCipher(headerAndFooter: words, body: body)
  }

  /// The patch info as twelve hex digits, with `x` for the product's type, which the memory does not contain.
  var patchInfo: String {
    let footer = memory.image.bytes[MemoryMap.familyByte...MemoryMap.region]
    return "xxxx" + HexText.string(of: Array(footer) + patchInfoEnd)
  }

  /// The given UID, if the key fits it; else the assumed one. A right UID with a patch info needs no recovered key.
  private static func uid(of image: MemoryImage, _ family: SensorFamily, _ words: KeyWords) -> SensorUID? {
    if image.patchInfo == nil, let given = image.uid, !given.isWithheld, words.isOf(given, family) { return given }
    return words.assumedUID(of: family)
  }

  var agrees: Bool {
    let image = memory.image
    if let given = image.uid, !given.isWithheld, given != uid { return false }
    guard let given = image.patchInfo else { return true }
    return given.family == family && Array(given.bytes[4...5]) == patchInfoEnd
  }

  func disagreement(with image: MemoryImage) -> MemoryError {
    func words(_ uid: SensorUID?, _ patchInfo: String?) -> String {
      [uid.map { "UID \($0)" }, patchInfo.map { "patch info \($0)" }].compactMap { $0 }.joined(separator: " and ")
    }
    return .keyDisagrees(
      family, given: words(image.uid, image.patchInfo?.description), recovered: words(uid, patchInfo))
  }

  /// The blocks of the header that are zero unless the log is long.
  private static let zeroBlocks = [1, 2]

  /// True if an encrypted memory may begin there: a look for each byte of a file, which random bytes pass once in 65,536
  /// times. The log fills block 1 before block 2, so the second one is asked.
  package static func mayBegin(at start: Int, in bytes: Span<UInt8>) -> Bool {
    KeyWords.mayBeZeros(bytes, at: start + 2 * MemoryMap.blockSize)
  }

  private static func us14Day(_ image: MemoryImage, _ words: KeyWords, _ uid: SensorUID) -> (CheckedMemory, KeyWords)? {
    var found: [(CheckedMemory, KeyWords)] = []
    for word in UInt16.min...UInt16.max {
      let body = words.us14DayBody(word: word, uid)
      guard hasPossibleBody(image.bytes, body) else { continue }
      let plain = CheckedMemory(MemoryCipher(headerAndFooter: words, body: body).applied(to: image))
      if plain.fram.integrity.body.isTrusted, hasIndicesOfItsAge(plain) { found.append((plain, body)) }
    }
    return found.count == 1 ? found[0] : nil
  }

  /// True if the newest records are from the minute and quarter of an hour of the age, or from the ones before (derived
  /// from all reference memories).
  private static func hasIndicesOfItsAge(_ plain: CheckedMemory) -> Bool {
    guard let memory = try? plain.fram.validated(), let maxLife = memory.maxLifeMinutes,
      let trend = memory.timeline.newestTrendMinute, let history = memory.timeline.newestHistoryMinute
    else { return false }
    let quarter = MemoryMap.history.minutesPerSlot
    return memory.ageMinutes - trend.value <= 1
      && min(memory.ageMinutes, maxLife) / quarter - history.value / quarter <= 1
  }

  private static func hasPossibleBody(_ bytes: [UInt8], _ body: KeyWords) -> Bool {
    PlainMemory.isPossibleBody { offset in
      let key = MemoryCipher.keystream(of: body, block: offset / MemoryMap.blockSize)
      return Int(bytes[offset] ^ UInt8(truncatingIfNeeded: key &>> UInt64(offset % MemoryMap.blockSize * 8)))
    }
  }
}
