// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// 344 bytes: a memory of the right length, and nothing more is known about it.
///
/// It shows bytes and checksums only. What they mean is `ValidatedFRAM`'s to say, which `validated()` makes.
public struct FRAM: Sendable {
  var bytes: InlineArray<344, UInt8>
  /// Blocks that the source lacked; their bytes are zero.
  public let missingBlocks: BlockSet

  /// Takes the first 344 of `bytes`. Throws `wrongLength` if there are fewer.
  public init(_ bytes: Span<UInt8>, missingBlocks: BlockSet = BlockSet()) throws(MemoryError) {
    guard bytes.count >= MemoryMap.byteCount else {
      throw .wrongLength(found: bytes.count, needed: MemoryMap.byteCount)
    }
    var copy = InlineArray<344, UInt8>(repeating: 0)
    for index in copy.indices { copy[index] = bytes[index] }
    self.bytes = copy
    self.missingBlocks = missingBlocks
  }

  /// Takes the first 344 bytes of an image. Throws `wrongLength` if there are fewer.
  public init(_ image: MemoryImage) throws(MemoryError) {
    try self.init(image.bytes.span, missingBlocks: BlockSet(image.missingBlocks))
  }

  /// One byte; nil outside 0…343.
  public subscript(offset: Int) -> UInt8? {
    (0..<MemoryMap.byteCount).contains(offset) ? byte(offset) : nil
  }

  /// All 344 bytes.
  public var allBytes: [UInt8] { (0..<MemoryMap.byteCount).map(byte) }

  // MARK: Offsets come from `MemoryMap`, so none can be outside.

  func byte(_ offset: Int) -> UInt8 { bytes.span.byte(offset) }

  func number(at offset: Int) -> UInt16 { bytes.span.short(at: offset) }

  func value(of field: BitField) -> Int { bytes.span.value(of: field) }

  /// The 48 bits of the record at `offset`.
  func recordBits(at offset: Int) -> UInt64 { bytes.span.recordBits(at: offset) }

  func lacksRecord(at offset: Int) -> Bool {
    missingBlocks.touches(offset..<offset + MemoryMap.Record.byteCount)
  }
}

extension BlockSet {
  /// True if one of the blocks holds one of these bytes.
  func touches(_ bytes: Range<Int>) -> Bool {
    contains(bytes.lowerBound / MemoryMap.blockSize) || contains((bytes.upperBound - 1) / MemoryMap.blockSize)
  }
}
