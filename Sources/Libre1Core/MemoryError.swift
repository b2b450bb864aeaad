// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// The reasons why bytes are not a readable sensor memory.
public enum MemoryError: ExplainedError {
  /// There are fewer bytes than a memory has.
  case wrongLength(found: Int, needed: Int)
  /// The checksum of a region is wrong.
  case crcMismatch(region: String, stored: UInt16, computed: UInt16)
  /// These blocks of a required region are missing in the source.
  case blockMissing(region: String, blocks: BlockSet)
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
  case keyDisagrees(SensorFamily, given: String, recovered: String)
}

extension MemoryError {
  public var explanation: (code: String, message: String) {
    switch self {
    case .wrongLength(let found, let needed): ("wrong_length", "expected \(needed) bytes of memory, got \(found)")
    case .crcMismatch(let region, let stored, let computed):
      (
        "crc_mismatch",
        "the \(region)'s checksum is wrong: \(HexText.string(of: stored)) stored, \(HexText.string(of: computed)) computed"
      )
    case .blockMissing(let region, let blocks):
      ("block_missing", "the dump lacks \(BlockText.list(blocks)) of the \(region)")
    case .undatable(let blocks):
      ("block_missing", "the dump lacks \(BlockText.list(blocks)), which the time of every sample depends on")
    case .ringIndexOutOfRange(let ring, let index, let slots):
      ("ring_index_out_of_range", "the \(ring.rawValue) index is \(index), but its ring has slots 0 to \(slots - 1)")
    case .blank(let byte): ("blank_memory", "every byte is \(HexText.string(of: byte)): the memory was not read")
    case .encryptedOrUnknown:
      (
        "encrypted_or_unknown",
        "all checksums are wrong: the memory is encrypted (Libre 2, US 14 day), or it is not a sensor memory"
      )
    case .encryptedWithoutUID(let family):
      (
        "encrypted_or_unknown",
        "the patch info is that of a \(family.productName), so the memory is encrypted, and the UID is missing"
      )
    case .encryptedWithoutPatchInfo(let family):
      (
        "encrypted_or_unknown",
        "the UID is that of a \(family.productName), so the memory is encrypted, and the patch info is missing"
      )
    case .unsupportedFamily(let family):
      ("unsupported_family", "\(family.productName) is not supported: how to read it is not publicly known")
    case .cannotDecrypt(let family):
      ("cannot_decrypt", "this UID and patch info do not decrypt the bytes into the memory of a \(family.productName)")
    case .keyDisagrees(let family, let given, let recovered):
      (
        "cannot_decrypt",
        "the memory is that of a \(family.productName) with \(recovered), as its bytes prove, not with \(given)"
      )
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
