// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// Why bytes are not a readable Libre 1 memory. The culprit is always the bytes.
public enum MemoryError: Error, Hashable, Sendable {
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
