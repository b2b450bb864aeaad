// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// The cipher over the memory of a Libre 2 (EU, first generation) and of a US 14-day sensor: a keystream of eight bytes
/// for each block, made of the sensor's UID and its patch info (read: xDrip, LibreTransmitter, DiaBLE; verified: four of
/// four encrypted memories come out with all checksums right, FORMAT 8).
///
/// The bytes are the same before and after but for an exclusive or, so one function does both ways. A wrong key gives
/// noise and no error: only the checksums of the result tell.
///
/// | family | blocks | key word of the block |
/// |---|---|---|
/// | Libre 2 | all | patch info bytes 5 and 4, exclusive or `0044` |
/// | US 14 day | 0…2, 40…42 | `CADC`, so header and footer need the UID only |
/// | US 14 day | 3…39 | patch info bytes 5 and 4 |
public struct MemoryCipher: Hashable, Sendable {
  /// The UID as four words, as it goes over the air: lowest first.
  private let uid: (UInt16, UInt16, UInt16)
  private let headerAndFooterWord: UInt16
  private let bodyWord: UInt16

  /// True if header and footer are encrypted with the same key as the body: then their checksums tell whether it is right.
  public var hasOneKey: Bool { headerAndFooterWord == bodyWord }

  /// nil for a family whose memory is not encrypted, or by a cipher that is not publicly known.
  public init?(uid: SensorUID, patchInfo: PatchInfo) {
    let word = UInt16(patchInfo.bytes[5]) << 8 | UInt16(patchInfo.bytes[4])
    switch patchInfo.family {
    case .libre2:
      headerAndFooterWord = word ^ 0x0044
      bodyWord = word ^ 0x0044
    case .libreUS14Day:
      headerAndFooterWord = 0xCADC
      bodyWord = word
    case .libre1, .librePro, .libre2Generation2, .libre3, .libreSense, .lingo, .unknown: return nil
    }
    self.uid = (
      UInt16(truncatingIfNeeded: uid.bits), UInt16(truncatingIfNeeded: uid.bits >> 16),
      UInt16(truncatingIfNeeded: uid.bits >> 32)
    )
  }

  /// Encrypts what is plain and makes plain what is encrypted, from offset 0 on.
  ///
  /// `missing` blocks, which are zero and mean nothing, stay so, and all after block 42 as well: what a sensor has there
  /// is not known to be encrypted. A block that is cut off is taken as far as it goes.
  public func applied(to bytes: [UInt8], missing: BlockSet = BlockSet()) -> [UInt8] {
    var bytes = bytes
    for block in 0..<min(Self.blocks, (bytes.count + Self.blockSize - 1) / Self.blockSize)
    where !missing.contains(block) {
      let key = keystream(ofBlock: UInt16(block))
      let first = block * Self.blockSize
      for index in first..<min(first + Self.blockSize, bytes.count) {
        bytes[index] ^= UInt8(truncatingIfNeeded: key >> UInt64(8 * (index - first)))
      }
    }
    return bytes
  }

  /// The first byte is the lowest.
  func keystream(ofBlock block: UInt16) -> UInt64 {
    let isBody = (Self.bodyBlocks).contains(block)
    let start = (
      uid.2 &+ block &+ (isBody ? bodyWord : headerAndFooterWord), uid.1 &+ Self.keys.2, uid.0 &+ block &* 2,
      0x241A ^ Self.keys.3
    )
    let first = Self.step(start.0) ^ start.3
    let second = Self.step(first) ^ start.2
    let third = Self.step(second) ^ start.1
    let fourth = Self.step(third) ^ start.0
    let fifth = Self.step(fourth)
    let sixth = Self.step(fifth ^ first)
    let seventh = Self.step(sixth ^ second)
    let eighth = Self.step(seventh ^ third)
    return UInt64(fourth ^ eighth) | UInt64(third ^ seventh) << 16 | UInt64(second ^ sixth) << 32
      | UInt64(first ^ fifth) << 48
  }

  private static func step(_ word: UInt16) -> UInt16 {
    word >> 2 ^ (word & 1 == 0 ? 0 : keys.1) ^ (word & 2 == 0 ? 0 : keys.0)
  }

  private static let keys: (UInt16, UInt16, UInt16, UInt16) = (0xA0C5, 0x6860, 0x0000, 0x14C6)
  private static let blockSize = 8
  private static let blocks = 43
  private static let bodyBlocks: Range<UInt16> = 3..<40

  public static func == (left: MemoryCipher, right: MemoryCipher) -> Bool {
    left.uid == right.uid && left.headerAndFooterWord == right.headerAndFooterWord && left.bodyWord == right.bodyWord
  }

  public func hash(into hasher: inout Hasher) {
    for word in [uid.0, uid.1, uid.2, headerAndFooterWord, bodyWord] { hasher.combine(word) }
  }
}
