// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// The 48-bit key of the cipher, from which the keystream is made together with the number of each block.
///
/// The key can be computed from the memory itself, where a block is zero (Libre1Core/EncryptedFamilies, "Key
/// recovery"). Random bytes pass once in 65,536 times; the checksums of the decrypted memory prove the key.
package struct KeyWords: Hashable, Sendable {
  /// The UID's bytes 3 and 4 as printed, with a word added; `middle` and `low` are its bytes 5 to 8.
  let top: UInt16
  let middle: UInt16
  let low: UInt16

  /// True if the UID, of a sensor of the family, can have this key: the bytes that the key has unchanged are equal.
  package func isOf(_ uid: SensorUID, _ family: SensorFamily) -> Bool {
    UInt32(truncatingIfNeeded: uid.bits) == UInt32(middle) &<< 16 | UInt32(low)
      && Self.assumedUpper(family).map { UInt8(truncatingIfNeeded: $0 &>> 8) } == uid.product
  }

  /// The UID with the bytes that the key lacks as on every known sensor of the family (derived): `E007A400…` of a
  /// Libre 2, `E007A000…` of a US 14-day sensor.
  package func assumedUID(of family: SensorFamily) -> SensorUID? {
    guard let upper = Self.assumedUpper(family) else { return nil }
    return SensorUID(bits: 0xE007 &<< 48 | UInt64(upper) &<< 32 | UInt64(middle) &<< 16 | UInt64(low))
  }

  /// The given UID, if a sensor of the family with it can have this key; else the assumed one.
  func uid(of family: SensorFamily, _ given: SensorUID?) -> SensorUID? {
    if let given, !given.isWithheld, isOf(given, family) { return given }
    return assumedUID(of: family)
  }

  /// The patch info's bytes 4 and 5, the first one lowest, if these words are a body's and the UID is this one.
  package func patchInfoEnd(of family: SensorFamily, _ uid: SensorUID) -> UInt16? {
    guard Self.assumedUpper(family) != nil else { return nil }
    return (top &- Self.upper(uid)) ^ (family == .libre2 ? MemoryCipher.libre2Mask : 0)
  }

  /// True if the US 14-day sensor of this UID encrypts its header and footer with these words.
  package func isUS14Day(_ uid: SensorUID) -> Bool { top == Self.upper(uid) &+ MemoryCipher.us14DayWord }

  /// The words of its body with a patch info whose bytes 4 and 5 are `word`.
  package func us14DayBody(word: UInt16, _ uid: SensorUID) -> KeyWords {
    KeyWords(top: Self.upper(uid) &+ word, middle: middle, low: low)
  }

  /// The words of the same sensor if it had another UID.
  func moved(from old: SensorUID, to new: SensorUID) -> KeyWords {
    KeyWords(
      top: top &- Self.upper(old) &+ Self.upper(new), middle: UInt16(truncatingIfNeeded: new.bits &>> 16),
      low: UInt16(truncatingIfNeeded: new.bits))
  }

  private static func upper(_ uid: SensorUID) -> UInt16 { UInt16(truncatingIfNeeded: uid.bits &>> 32) }

  private static func assumedUpper(_ family: SensorFamily) -> UInt16? {
    switch family {
    case .libre2: 0xA400
    case .libreUS14Day: 0xA000
    case .libre1, .librePro, .libre2Generation2, .libre3, .libreSense, .lingo, .unknown: nil
    }
  }
}

extension KeyWords {
  /// The words that turn zeros into these eight bytes of a block; nil if no words do.
  package init?(ofZeros encrypted: Span<UInt8>, block: Int) {
    guard encrypted.count == MemoryCipher.blockSize, let number = UInt16(exactly: block) else { return nil }
    let start = MemoryCipher.start(of: Self.words(of: encrypted, at: 0))
    guard start.3 == UInt64(MemoryCipher.constantWord) else { return nil }
    self.init(
      top: UInt16(truncatingIfNeeded: start.0) &- number, middle: UInt16(truncatingIfNeeded: start.1),
      low: UInt16(truncatingIfNeeded: start.2) &- number &* 2)
  }

  /// True if eight bytes may be zeros that were encrypted, whatever the key: a look for each byte of a file, which random
  /// bytes pass once in 65,536 times.
  package static func mayBeZeros(_ bytes: Span<UInt8>, at start: Int) -> Bool {
    let words = words(of: bytes, at: start)
    // Zeros are the commonest bytes of files.
    if words.0 | words.1 | words.2 | words.3 == 0 { return false }
    return MemoryCipher.start(of: words).3 == UInt64(MemoryCipher.constantWord)
  }

  private static func words(of bytes: Span<UInt8>, at start: Int) -> (UInt64, UInt64, UInt64, UInt64) {
    func word(_ place: Int) -> UInt64 { UInt64(bytes[start + place]) | UInt64(bytes[start + place + 1]) &<< 8 }
    return (word(0), word(2), word(4), word(6))
  }
}
