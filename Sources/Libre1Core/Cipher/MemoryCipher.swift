// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// The cipher of the memory of a Libre 2 (EU, first generation) and of a US 14-day sensor: a keystream of eight bytes
/// for each block, made of the sensor's UID and patch info (Libre1Core/EncryptedFamilies, "Keystream").
///
/// Encryption and decryption are the same exclusive or. A wrong key gives random bytes and no error: only the checksums
/// of the result show it. On a US 14-day sensor header and footer need the UID only.
package struct MemoryCipher: Hashable, Sendable {
  private let headerAndFooter: KeyWords
  private let body: KeyWords

  /// True if header and footer have the same key as the body, so that their checksums show whether the key is correct.
  package var hasOneKey: Bool { headerAndFooter == body }

  package init(headerAndFooter: KeyWords, body: KeyWords) {
    self.headerAndFooter = headerAndFooter
    self.body = body
  }

  /// The cipher of a sensor; nil for a family whose memory is not encrypted, or whose cipher is not publicly known.
  package init?(uid: SensorUID, patchInfo: PatchInfo) {
    let word = patchInfo.cipherWord
    // In the order of the air interface: the lowest word first; the highest, which is always the same, is left out.
    func words(_ word: UInt16) -> KeyWords {
      KeyWords(
        top: UInt16(truncatingIfNeeded: uid.bits &>> 32) &+ word, middle: UInt16(truncatingIfNeeded: uid.bits &>> 16),
        low: UInt16(truncatingIfNeeded: uid.bits))
    }
    let family = patchInfo.family
    guard family.isEncrypted else { return nil }
    body = words(family == .libre2 ? word ^ Self.libre2Mask : word)
    headerAndFooter = family == .libreUS14Day ? words(Self.us14DayWord) : body
  }

  /// The cipher of the same sensor if it had another UID.
  package func moved(from old: SensorUID, to new: SensorUID) -> MemoryCipher {
    MemoryCipher(headerAndFooter: headerAndFooter.moved(from: old, to: new), body: body.moved(from: old, to: new))
  }

  /// Encrypts plain bytes, or decrypts encrypted ones, from offset 0. `missing` blocks stay zero. All blocks after
  /// block 42 stay unchanged, because a sensor is not known to encrypt them.
  package func applied(to bytes: [UInt8], missing: BlockSet = BlockSet()) -> [UInt8] {
    var bytes = bytes
    // Taken once, because an array checks at each byte whether it must be copied.
    var span = bytes.mutableSpan
    apply(to: &span, missing: missing)
    return bytes
  }

  func apply(to bytes: inout MutableSpan<UInt8>, missing: BlockSet) {
    var key = keystream()
    for block in 0..<Self.blocks where missing.contains(block) {
      for index in block * Self.blockSize..<(block + 1) * Self.blockSize { key[index] = 0 }
    }
    let end = min(bytes.count, Self.blocks * Self.blockSize)
    for index in 0..<end { bytes[index] ^= key[index] }
  }

  package func applied(to image: MemoryImage) -> MemoryImage {
    var image = image
    image.bytes = applied(to: image.bytes, missing: BlockSet(image.missingBlocks))
    return image
  }

  /// The keystream of all blocks and one more: four blocks at a time, a word of each in 16 bits of a number.
  private func keystream() -> InlineArray<352, UInt8> {
    var key = InlineArray<352, UInt8>(repeating: 0)
    var index = 0
    for group in 0..<11 as Range<UInt16> {
      let words = Self.words(
        of: (
          Self.lanes(group) { $0 &+ (Self.bodyBlocks.contains($0) ? body.top : headerAndFooter.top) },
          Self.lanes(group) { _ in body.middle }, Self.lanes(group) { body.low &+ $0 &* 2 },
          Self.lanes(group) { _ in Self.constantWord }
        ))
      for lane in 0..<4 as Range<UInt64> {
        let low = words.0 &>> (lane &* 16) & 0xFFFF | (words.1 &>> (lane &* 16) & 0xFFFF) &<< 16
        let high = words.2 &>> (lane &* 16) & 0xFFFF | (words.3 &>> (lane &* 16) & 0xFFFF) &<< 16
        let word = low | high &<< 32
        for byte in 0..<8 as Range<UInt64> {
          key[index] = UInt8(truncatingIfNeeded: word &>> (byte &* 8))
          index &+= 1
        }
      }
    }
    return key
  }

  /// The keystream of one block with a body's words, first byte lowest: a quick test that a key is wrong.
  package static func keystream(of words: KeyWords, block: Int) -> UInt64 {
    let number = UInt16(truncatingIfNeeded: block)
    let key = self.words(
      of: (
        UInt64(words.top &+ number), UInt64(words.middle), UInt64(words.low &+ number &* 2), UInt64(constantWord)
      ))
    return key.0 | key.1 &<< 16 | key.2 &<< 32 | key.3 &<< 48
  }

  /// The input of a block's keystream: the inverse of `words`.
  static func start(of key: (UInt64, UInt64, UInt64, UInt64)) -> (UInt64, UInt64, UInt64, UInt64) {
    // The second half of the eight words is determined by the keystream alone.
    let (eighth, seventh, sixth) = (step(key.1), step(key.2), step(key.3))
    let (fourth, third, second) = (key.0 ^ eighth, key.1 ^ seventh, key.2 ^ sixth)
    let first = key.3 ^ step(fourth)
    let start = (fourth ^ step(third), third ^ step(second), second ^ step(first))
    return (start.0, start.1, start.2, first ^ step(start.0))
  }

  @inline(__always) private static func lanes(_ group: UInt16, _ word: (UInt16) -> UInt16) -> UInt64 {
    let block = group &* 4
    let low = UInt64(word(block)) | UInt64(word(block &+ 1)) &<< 16
    return low | UInt64(word(block &+ 2)) &<< 32 | UInt64(word(block &+ 3)) &<< 48
  }

  @inline(__always) private static func words(
    of start: (UInt64, UInt64, UInt64, UInt64)
  ) -> (UInt64, UInt64, UInt64, UInt64) {
    let first = step(start.0) ^ start.3
    let second = step(first) ^ start.2
    let third = step(second) ^ start.1
    let fourth = step(third) ^ start.0
    let fifth = step(fourth)
    let sixth = step(fifth ^ first)
    let seventh = step(sixth ^ second)
    let eighth = step(seventh ^ third)
    return (fourth ^ eighth, third ^ seventh, second ^ sixth, first ^ fifth)
  }

  /// Shifts each word by two; a bit that is shifted out adds its key, as the product of 0 or 1 with it.
  @inline(__always) private static func step(_ words: UInt64) -> UInt64 {
    let lowest: UInt64 = 0x0001_0001_0001_0001
    let kept: UInt64 = 0x3FFF_3FFF_3FFF_3FFF
    return words &>> 2 & kept ^ (words & lowest) &* 0x6860 ^ (words &>> 1 & lowest) &* 0xA0C5
  }

  static let constantWord: UInt16 = 0x30DC
  static let libre2Mask: UInt16 = 0x0044
  static let us14DayWord: UInt16 = 0xCADC
  static let blockSize = 8
  private static let blocks = 43
  private static let bodyBlocks: Range<UInt16> = 3..<40
}

extension PatchInfo {
  /// The two bytes that enter the cipher, 4 and 5, the first one lowest.
  var cipherWord: UInt16 { UInt16(self[5]) << 8 | UInt16(self[4]) }
}
