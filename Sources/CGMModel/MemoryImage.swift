// SPDX-License-Identifier: Apache-2.0

/// The bytes of a sensor's memory from offset 0, and what else came with them. Nothing after it knows how they came.
public struct MemoryImage: Hashable, Sendable {
  /// From offset 0; 344 is a whole Libre 1 memory, 1952 all that NFC can reach.
  public var bytes: [UInt8]
  /// The blocks of eight bytes that the source lacked, in order; their bytes are zero and mean nothing.
  public var missingBlocks: [Int]
  public var uid: SensorUID?
  public var patchInfo: PatchInfo?
  /// When the sensor was read, if the source says so.
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
