// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// 344 bytes: a memory of the right length, and nothing more is known about it.
///
/// It shows bytes and checksums only. What they mean is `ValidatedFRAM`'s to say, which `validated()` makes.
public struct FRAM: Sendable {
  var bytes: InlineArray<344, UInt8>
  /// Blocks that the source lacked; their bytes are zero.
  public let missingBlocks: BlockSet
  /// What the three checksums say of the bytes as they came. Damage is data.
  public let integrity: MemoryIntegrity

  /// Takes the first 344 of `bytes`. Throws `wrongLength` if there are fewer.
  public init(_ bytes: Span<UInt8>, missingBlocks: BlockSet = BlockSet()) throws(MemoryError) {
    guard bytes.count >= MemoryMap.byteCount else {
      throw .wrongLength(found: bytes.count, needed: MemoryMap.byteCount)
    }
    self.init(InlineArray { bytes[$0] }, missingBlocks)
  }

  private init(_ bytes: InlineArray<344, UInt8>, _ missingBlocks: BlockSet) {
    self.bytes = bytes
    self.missingBlocks = missingBlocks
    integrity = Self.integrity(of: bytes.span, missing: missingBlocks)
  }

  /// Takes the first 344 bytes of an image. Throws `wrongLength` if there are fewer.
  public init(_ image: MemoryImage) throws(MemoryError) {
    try self.init(image.bytes.span, missingBlocks: BlockSet(image.missingBlocks))
  }

  /// Takes the first 344 bytes of an image. What a shorter one lacks is missing, a block cut in two among it.
  package init(padding image: MemoryImage) {
    let wholeBlocks = min(image.bytes.count / MemoryMap.blockSize, MemoryMap.blockCount)
    self.init(
      InlineArray { $0 < image.bytes.count ? image.bytes[$0] : 0 },
      BlockSet(image.missingBlocks + Array(wholeBlocks..<MemoryMap.blockCount)))
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
