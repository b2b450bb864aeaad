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
  public var explanation: ErrorExplanation {
    switch self {
    case .wrongLength(let found, let needed):
      ErrorExplanation(
        "wrong_length", "expected \(needed) bytes of memory, got \(found)", "read all 43 blocks of the sensor")
    case .crcMismatch(let region, let stored, let computed):
      ErrorExplanation(
        "crc_mismatch",
        "the \(region)'s checksum is wrong: \(HexText.string(of: stored)) stored, \(HexText.string(of: computed)) computed",
        "read the sensor again; --salvage shows the samples all the same, libre inspect shows the bytes")
    case .blockMissing(let region, let blocks):
      ErrorExplanation(
        "block_missing", "the dump lacks \(BlockText.list(blocks)) of the \(region)",
        "read the sensor again; --salvage shows the samples of the other blocks")
    case .undatable(let blocks):
      ErrorExplanation(
        "block_missing", "the dump lacks \(BlockText.list(blocks)), which the time of every sample depends on",
        "read the sensor again; this dump cannot be salvaged")
    case .ringIndexOutOfRange(let ring, let index, let slots):
      ErrorExplanation(
        "ring_index_out_of_range", "the \(ring.rawValue) index is \(index), but its ring has slots 0 to \(slots - 1)",
        "read the sensor again; if the error stays, please report the dump")
    case .blank(let byte):
      ErrorExplanation(
        "blank_memory", "every byte is \(HexText.string(of: byte)): the memory was not read",
        "read the sensor again, and do not move the reader")
    case .encryptedOrUnknown:
      ErrorExplanation(
        "encrypted_or_unknown",
        "all checksums are wrong: the memory is encrypted (Libre 2, US 14 day), or it is not a sensor memory",
        "for a Libre 2 or US 14 day: libre decode FILE --uid UID --patch-info HEX, both from the same scan")
    case .encryptedWithoutUID(let family):
      ErrorExplanation(
        "encrypted_or_unknown",
        "the patch info is that of a \(family.productName), so the memory is encrypted, and the UID is missing",
        "add the UID, which is part of the key: libre decode FILE --uid UID; a recording has it only if made with --show-identifiers"
      )
    case .encryptedWithoutPatchInfo(let family):
      ErrorExplanation(
        "encrypted_or_unknown",
        "the UID is that of a \(family.productName), so the memory is encrypted, and the patch info is missing",
        "add the patch info of the same scan, which is part of the key: libre decode FILE --patch-info HEX")
    case .unsupportedFamily(let family):
      ErrorExplanation(
        "unsupported_family", "\(family.productName) is not supported: how to read it is not publicly known",
        "keep the dump, which may become readable later; libre inspect shows its bytes")
    case .cannotDecrypt(let family):
      ErrorExplanation(
        "cannot_decrypt",
        "this UID and patch info do not decrypt the bytes into the memory of a \(family.productName)",
        "check that --uid and --patch-info are of this sensor, and the patch info of the same scan; if they are, read the sensor again, because the memory is damaged"
      )
    case .keyDisagrees(let family, let given, let recovered):
      ErrorExplanation(
        "cannot_decrypt",
        "the memory is that of a \(family.productName) with \(recovered), as its bytes prove, not with \(given)",
        "leave out --uid and --patch-info; if the file itself contains them, remove them: libre convert FILE --to raw"
      )
    }
  }

  public var exitStatus: Int32 { 65 }

  /// The product, if the error depends on it.
  package var family: SensorFamily? {
    switch self {
    case .unsupportedFamily(let family), .cannotDecrypt(let family), .encryptedWithoutUID(let family),
      .encryptedWithoutPatchInfo(let family), .keyDisagrees(let family, _, _):
      family
    case .wrongLength, .crcMismatch, .blockMissing, .undatable, .ringIndexOutOfRange, .blank, .encryptedOrUnknown: nil
    }
  }
}
