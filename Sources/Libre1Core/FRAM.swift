// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// 344 bytes with unchecked content and their checksums. `validated()` returns a `ValidatedFRAM`, which has the fields.
package struct FRAM: Sendable {
  var bytes: InlineArray<344, UInt8>
  /// Their bytes mean nothing.
  package let missingBlocks: BlockSet
  /// Results for the unchanged bytes. Wrong checksums are not an error here.
  package private(set) var integrity: MemoryIntegrity

  /// Takes the first 344 of `bytes`. Throws `wrongLength` for fewer.
  package init(_ bytes: Span<UInt8>, missingBlocks: BlockSet = BlockSet()) throws(MemoryError) {
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

  package init(padding image: MemoryImage) {
    self.init(padding: image.bytes.span, missingBlocks: BlockSet(image.missingBlocks))
  }

  /// Takes the first 344 bytes of a memory. Blocks that a shorter one lacks, also in part, count as missing.
  package init(padding bytes: Span<UInt8>, missingBlocks: BlockSet) {
    var missing = missingBlocks
    for block in min(bytes.count / MemoryMap.blockSize, MemoryMap.blockCount)..<MemoryMap.blockCount {
      missing.insert(block)
    }
    // Bytes of which none is missing are copied as a whole.
    self.init(
      bytes.count < MemoryMap.byteCount
        ? InlineArray { $0 < bytes.count ? bytes[$0] : 0 } : InlineArray { bytes[$0] }, missing)
  }

  /// Encrypts plain bytes, or decrypts encrypted ones.
  mutating func apply(_ cipher: MemoryCipher) {
    var span = bytes.mutableSpan
    cipher.apply(to: &span, missing: missingBlocks)
    integrity = Self.integrity(of: bytes.span, missing: missingBlocks)
  }

  /// nil outside 0…343.
  package subscript(offset: Int) -> UInt8? {
    (0..<MemoryMap.byteCount).contains(offset) ? byte(offset) : nil
  }

  package var allBytes: [UInt8] { (0..<MemoryMap.byteCount).map(byte) }

  // MARK: Offsets come from `MemoryMap`, so they are never outside.

  func byte(_ offset: Int) -> UInt8 { bytes.span.byte(offset) }
  func number(at offset: Int) -> UInt16 { bytes.span.short(at: offset) }
  func value(of field: BitField) -> Int { bytes.span.value(of: field) }
  func recordBits(at offset: Int) -> UInt64 { bytes.span.recordBits(at: offset) }
}

extension BlockSet {
  /// True if one of these bytes is in one of the blocks.
  func touches(_ bytes: Range<Int>) -> Bool {
    contains(bytes.lowerBound / MemoryMap.blockSize) || contains((bytes.upperBound - 1) / MemoryMap.blockSize)
  }
}
