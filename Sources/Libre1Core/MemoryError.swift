// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// Why bytes are not a readable Libre 1 memory. The culprit is always the bytes.
public enum MemoryError: ExplainedError {
  /// Fewer bytes than a memory has.
  case wrongLength(found: Int, needed: Int)
  /// A region's checksum does not hold.
  case crcMismatch(region: String, stored: UInt16, computed: UInt16)
  /// The source lacks these blocks of a region that is needed.
  case blockMissing(region: String, blocks: BlockSet)
  /// It also lacks this block, which holds the age: no sample has a minute, and none can be salvaged.
  case undatable(blocks: BlockSet)
  /// A ring's index points outside its slots.
  case ringIndexOutOfRange(ring: SampleRing, index: Int, slots: Int)
  /// Every byte is the same, 00 or FF.
  case blank(UInt8)
  /// No checksum holds anywhere: another sensor's encryption, or no sensor memory at all.
  case encryptedOrUnknown
  /// An encrypted family, told by its patch info; the UID, which is part of the key, is not known.
  case encryptedWithoutUID(SensorFamily)
  /// An encrypted family, told by its UID; the patch info, which is part of the key, is not known.
  case encryptedWithoutPatchInfo(SensorFamily)
  /// A sensor that nobody can read with public knowledge.
  case unsupportedFamily(SensorFamily)
  /// An encrypted family, of which UID and patch info are known and do not make a memory of the bytes.
  case cannotDecrypt(SensorFamily)
  /// An encrypted memory that gives up its key, and came with a UID or a patch info that is another key's.
  case keyDisagrees(SensorFamily, given: String, recovered: String)
}

extension MemoryError {
  public var explanation: ErrorExplanation {
    switch self {
    case .wrongLength(let found, let needed):
      ErrorExplanation(
        "wrong_length", "\(found) bytes are no memory, which has \(needed)", "read all 43 blocks of the sensor")
    case .crcMismatch(let region, let stored, let computed):
      ErrorExplanation(
        "crc_mismatch",
        "the \(region)'s checksum does not hold: \(HexText.string(of: stored)) stored, \(HexText.string(of: computed)) computed",
        "read the sensor again; --salvage shows what may still be right, libre inspect shows the bytes")
    case .blockMissing(let region, let blocks):
      ErrorExplanation(
        "block_missing", "the \(region) lacks \(BlockText.list(blocks))",
        "read the sensor again; --salvage shows the samples in the blocks that are there")
    case .undatable(let blocks):
      ErrorExplanation(
        "block_missing", "\(BlockText.list(blocks)) would tell the minute of each sample and is not in the dump",
        "nothing can be salvaged; read the sensor again")
    case .ringIndexOutOfRange(let ring, let index, let slots):
      ErrorExplanation(
        "ring_index_out_of_range", "the \(ring.rawValue) index is \(index), but its ring has slots 0 to \(slots - 1)",
        "no sample can be placed; read the sensor again and please report the dump if it stays so")
    case .blank(let byte):
      ErrorExplanation(
        "blank_memory", "every byte is \(HexText.string(of: byte)): nothing was read",
        "read the sensor again, without moving it")
    case .encryptedOrUnknown:
      ErrorExplanation(
        "encrypted_or_unknown",
        "no checksum holds anywhere: an encrypted sensor's memory (Libre 2, US 14 day), or no sensor memory at all",
        "if it is a Libre 2 or a US 14 day: libre decode FILE --uid UID --patch-info HEX, both of the same scan")
    case .encryptedWithoutUID(let family):
      ErrorExplanation(
        "encrypted_or_unknown",
        "this is the encrypted memory of a \(family.productName), not a damaged one: no checksum holds, and the patch info names it",
        "give its UID, which is part of the key: libre decode FILE --uid UID; a recording has it only if made with --show-identifiers"
      )
    case .encryptedWithoutPatchInfo(let family):
      ErrorExplanation(
        "encrypted_or_unknown",
        "by its UID this is the encrypted memory of a \(family.productName), and the patch info is not known",
        "give the patch info of the same scan, which is part of the key: libre decode FILE --patch-info HEX")
    case .unsupportedFamily(let family):
      ErrorExplanation(
        "unsupported_family", "this is a \(family.productName), which is not readable with public knowledge",
        "keep the dump: its bytes may be readable one day; libre inspect shows them")
    case .cannotDecrypt(let family):
      ErrorExplanation(
        "cannot_decrypt",
        "cannot decrypt with this UID and patch info: the bytes do not become the memory of a \(family.productName)",
        "check --uid and --patch-info: both must be this sensor's, the patch info of the same scan; if they are, the memory is damaged: read it again"
      )
    case .keyDisagrees(let family, let given, let recovered):
      ErrorExplanation(
        "cannot_decrypt",
        "this is the memory of a \(family.productName) with \(recovered), as its own bytes prove, and not one with \(given)",
        "leave out the UID and the patch info that were given; if they came with the file, they are another sensor's: libre convert FILE --to raw makes one without"
      )
    }
  }

  public var exitStatus: Int32 { 65 }

  /// The product, where the reason is which product it is.
  public var family: SensorFamily? {
    switch self {
    case .unsupportedFamily(let family), .cannotDecrypt(let family), .encryptedWithoutUID(let family),
      .encryptedWithoutPatchInfo(let family), .keyDisagrees(let family, _, _):
      family
    case .wrongLength, .crcMismatch, .blockMissing, .undatable, .ringIndexOutOfRange, .blank, .encryptedOrUnknown: nil
    }
  }
}
