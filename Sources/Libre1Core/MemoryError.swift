// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// The reasons why bytes are not a readable sensor memory.
public enum MemoryError: ExplainedError {
  /// There are fewer bytes than a memory has.
  case wrongLength(found: Int, needed: Int)
  /// The checksum of a region is wrong.
  case crcMismatch(region: MemoryRegion, stored: UInt16, computed: UInt16)
  /// These blocks of a required region are missing in the source.
  case blockMissing(region: MemoryRegion, blocks: BlockSet)
  /// The missing blocks include the one with the age: no sample has a minute, so that no sample can be salvaged.
  case undatable(blocks: BlockSet)
  /// The index of a ring is larger than its last slot.
  case ringIndexOutOfRange(ring: SampleRing, index: Int, slots: Int)
  /// Every byte is the same, 00 or FF.
  case blank(UInt8)
  /// Every checksum is wrong: the memory is encrypted, or is not a sensor memory.
  case encryptedOrUnknown
  /// The patch info shows an encrypted family; the UID, which is part of the key, is missing.
  case encryptedWithoutUID(SensorFamily)
  /// The UID shows an encrypted family; the patch info, which is part of the key, is missing.
  case encryptedWithoutPatchInfo(SensorFamily)
  /// The sensor cannot be read with public knowledge.
  case unsupportedFamily(SensorFamily)
  /// The family is encrypted, and decryption with the given UID and patch info does not give a memory.
  case cannotDecrypt(SensorFamily)
  /// The key computed from the encrypted memory belongs to another UID or patch info than given.
  case keyDisagrees(SensorFamily, given: KeyFacts, recovered: KeyFacts)
}

extension MemoryError {
  public var explanation: (code: String, message: String) { (word.description, text.description) }

  package var word: StaticString {
    switch self {
    case .wrongLength: "wrong_length"
    case .crcMismatch: "crc_mismatch"
    case .blockMissing, .undatable: "block_missing"
    case .ringIndexOutOfRange: "ring_index_out_of_range"
    case .blank: "blank_memory"
    case .encryptedOrUnknown, .encryptedWithoutUID, .encryptedWithoutPatchInfo: "encrypted_or_unknown"
    case .unsupportedFamily: "unsupported_family"
    case .cannotDecrypt, .keyDisagrees: "cannot_decrypt"
    }
  }

  package var text: FixedText {
    switch self {
    case .wrongLength(let found, let needed): "expected \(needed) bytes of memory, got \(found)"
    case .crcMismatch(let region, let stored, let computed):
      "the \(region.text)'s checksum is wrong: \(hex: stored) stored, \(hex: computed) computed"
    case .blockMissing(let region, let blocks): "the dump lacks \(blocks) of the \(region.text)"
    case .undatable(let blocks):
      "the dump lacks \(blocks), which the time of every sample depends on"
    case .ringIndexOutOfRange(let ring, let index, let slots):
      "the \(ring.text) index is \(index), but its ring has slots 0 to \(slots - 1)"
    case .blank(let byte): "every byte is \(hex: byte): the memory was not read"
    case .encryptedOrUnknown:
      "all checksums are wrong: the memory is encrypted (Libre 2, US 14 day), or it is not a sensor memory"
    case .encryptedWithoutUID(let family):
      "the patch info is that of a \(family.productText), so the memory is encrypted, and the UID is missing"
    case .encryptedWithoutPatchInfo(let family):
      "the UID is that of a \(family.productText), so the memory is encrypted, and the patch info is missing"
    case .unsupportedFamily(let family) where family.isReadable:
      "\(family.productText) has another layout of memory than what is decoded here"
    case .unsupportedFamily(let family) where family == .libre3 || family == .lingo:
      "\(family.productText) is not supported: it sends glucose over Bluetooth only, encrypted, and the programs that decrypt it contain tables of Abbott's own software"
    case .unsupportedFamily(let family):
      "\(family.productText) is not supported: how to read it is not publicly known"
    case .cannotDecrypt(let family):
      "this UID and patch info do not decrypt the bytes into the memory of a \(family.productText)"
    case .keyDisagrees(let family, let given, let recovered):
      "the memory is that of a \(family.productText) with \(recovered), as its bytes prove, not with \(given)"
    }
  }

  package var family: SensorFamily? {
    switch self {
    case .unsupportedFamily(let family), .cannotDecrypt(let family), .encryptedWithoutUID(let family),
      .encryptedWithoutPatchInfo(let family), .keyDisagrees(let family, _, _):
      family
    case .wrongLength, .crcMismatch, .blockMissing, .undatable, .ringIndexOutOfRange, .blank, .encryptedOrUnknown: nil
    }
  }
}

/// The UID and patch info that a key is made of, as far as they are known.
public struct KeyFacts: Hashable, Sendable {
  package let uid: SensorUID?
  package let patchInfo: PatchInfo?
  /// True if the patch info is derived from the key, which does not contain its first two bytes.
  fileprivate let isDerived: Bool

  package init(uid: SensorUID?, patchInfo: PatchInfo?, isDerived: Bool = false) {
    (self.uid, self.patchInfo, self.isDerived) = (uid, patchInfo, isDerived)
  }

  /// The patch info in hex digits, with `x` for an unknown one.
  package var patchInfoText: FixedText { "\(patchInfoOf: self)" }
}

extension FixedText.Interpolation {
  fileprivate mutating func appendInterpolation(_ facts: KeyFacts) {
    if let uid = facts.uid {
      appendLiteral("UID ")
      appendInterpolation(hex: uid.bits)
    }
    guard facts.patchInfo != nil else { return }
    appendLiteral(facts.uid == nil ? "patch info " : " and patch info ")
    appendInterpolation(patchInfoOf: facts)
  }

  fileprivate mutating func appendInterpolation(patchInfoOf facts: KeyFacts) {
    guard let patchInfo = facts.patchInfo else { return }
    if facts.isDerived { appendLiteral("xxxx") }
    for index in (facts.isDerived ? 2 : 0)..<patchInfo.count { appendInterpolation(hex: patchInfo[index]) }
  }
}
