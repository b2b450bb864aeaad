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
    bytes.indices.contains(offset) ? bytes[offset] : nil
  }

  /// All 344 bytes.
  public var allBytes: [UInt8] { bytes.indices.map { bytes[$0] } }

  // MARK: Little-endian numbers; offsets come from `MemoryMap`, so none can be outside.

  func byte(_ offset: Int) -> UInt8 { bytes[offset] }

  func number(at offset: Int) -> UInt16 { UInt16(bytes[offset]) | UInt16(bytes[offset &+ 1]) << 8 }

  /// The number of `count` bytes at `offset`.
  func word(at offset: Int, count: Int) -> UInt64 {
    var word: UInt64 = 0
    for index in (0..<count).reversed() { word = word << 8 | UInt64(bytes[offset &+ index]) }
    return word
  }

  /// The 48 bits of the record at `offset`, spelt out because it is read 48 times a memory.
  func recordBits(at offset: Int) -> UInt64 {
    let low = UInt64(bytes[offset]) | UInt64(bytes[offset &+ 1]) << 8 | UInt64(bytes[offset &+ 2]) << 16
    let high = UInt64(bytes[offset &+ 3]) | UInt64(bytes[offset &+ 4]) << 8 | UInt64(bytes[offset &+ 5]) << 16
    return low | high << 24
  }

  func lacksRecord(at offset: Int) -> Bool {
    guard !missingBlocks.isEmpty else { return false }
    let last = offset + MemoryMap.Record.byteCount - 1
    return missingBlocks.contains(offset / MemoryMap.blockSize) || missingBlocks.contains(last / MemoryMap.blockSize)
  }

  func value(of field: BitField) -> Int {
    field.value(in: word(at: field.offset, count: (field.first &+ field.width &+ 7) / 8))
  }

  /// The same memory with another age, as it was a minute before.
  func withAge(_ age: UInt16) -> FRAM {
    var copy = self
    copy.bytes[MemoryMap.age] = UInt8(truncatingIfNeeded: age)
    copy.bytes[MemoryMap.age + 1] = UInt8(truncatingIfNeeded: age >> 8)
    return copy
  }
}
