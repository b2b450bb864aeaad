// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// A Libre Pro memory of at least 176 bytes, and nothing more is known about it.
///
/// It shows checksums only. What the bytes mean is `ValidatedLibreProFRAM`'s to say, which `validated()` makes.
public struct LibreProFRAM: Sendable {
  /// From offset 0: 176, and as much of the history as the source had.
  let bytes: [UInt8]
  /// Blocks that the source lacked; their bytes are zero.
  let missingBlocks: Set<Int>

  /// Throws `wrongLength` if there are fewer than 176 bytes.
  public init(_ image: MemoryImage) throws(MemoryError) {
    guard image.bytes.count >= LibreProMap.byteCount else {
      throw .wrongLength(found: image.bytes.count, needed: LibreProMap.byteCount)
    }
    bytes = image.bytes
    missingBlocks = Set(image.missingBlocks)
  }

  /// What the three checksums say; none covers the history. Damage is data: this never throws.
  ///
  /// The body is never `torn`. Its checksum, its age and its indices stand in one block, so they are always of one
  /// minute; if the minute ticks while the trend is read, the body must be read again (derived).
  public var integrity: MemoryIntegrity {
    MemoryIntegrity(
      header: verdict(on: LibreProMap.header), body: verdict(on: LibreProMap.body),
      footer: verdict(on: LibreProMap.footer))
  }

  /// Checks the body and both indices.
  ///
  /// Throws `crcMismatch`, `blockMissing`, or `ringIndexOutOfRange` for a trend index above 15 and for more history
  /// records than fourteen days or the age have quarters of an hour. With `salvaging` a body whose checksum does not
  /// hold passes, marked so, if its first block is there (`undatable`).
  public func validated(salvaging: Bool = false) throws(MemoryError) -> ValidatedLibreProFRAM {
    try ValidatedLibreProFRAM(self, salvaging: salvaging)
  }

  private func verdict(on region: MemoryMap.Region) -> RegionVerdict {
    let missing = BlockSet(region.blocks.filter(missingBlocks.contains))
    return missing.isEmpty ? region.verdict(in: bytes.span) : .absent(missing)
  }

  // MARK: Offsets of the first 176 bytes come from `LibreProMap`, so none can be outside.

  func byte(_ offset: Int) -> UInt8 { bytes[offset] }

  func number(at offset: Int) -> Int { Int(bytes.span.short(at: offset)) }

  /// The record at `offset`; nil if the source has not all of its bytes.
  func record(at offset: Int) -> MeasurementRecord? {
    let place = offset..<offset + MemoryMap.Record.byteCount
    let blocks = place.lowerBound / MemoryMap.blockSize...(place.upperBound - 1) / MemoryMap.blockSize
    guard place.upperBound <= bytes.count, !blocks.contains(where: missingBlocks.contains) else { return nil }
    return MeasurementRecord(bits: bytes[place].reversed().reduce(0) { $0 << 8 | UInt64($1) })
  }
}
