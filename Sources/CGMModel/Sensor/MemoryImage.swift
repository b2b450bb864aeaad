// SPDX-License-Identifier: Apache-2.0

/// The bytes of a sensor's memory from offset 0, with the UID, patch info and read time where these are known. Later
/// steps do not depend on the source.
public struct MemoryImage: Hashable, Sendable {
  /// The memory from offset 0: 344 bytes are a whole Libre 1 memory, 1952 all that NFC can reach.
  public var bytes: [UInt8]
  /// The numbers of the eight-byte blocks missing in the source, ascending; their bytes are zero and mean nothing.
  public var missingBlocks: [Int]
  public var uid: SensorUID?
  public var patchInfo: PatchInfo?
  /// The time at which the sensor was read, if the source has it.
  public var readAt: Instant?

  public init(
    bytes: [UInt8], missingBlocks: [Int] = [], uid: SensorUID? = nil, patchInfo: PatchInfo? = nil,
    readAt: Instant? = nil
  ) {
    self.bytes = bytes
    self.missingBlocks = missingBlocks
    self.uid = uid
    self.patchInfo = patchInfo
    self.readAt = readAt
  }
}
