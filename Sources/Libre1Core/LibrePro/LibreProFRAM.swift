// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// A Libre Pro memory of at least 176 bytes, with unchecked content.
///
/// It gives access to checksums only. `validated()` returns a `ValidatedLibreProFRAM`, which has the fields.
package struct LibreProFRAM: Sendable {
  /// The bytes from offset 0: 176, and the part of the history that the source has.
  let bytes: [UInt8]
  /// The blocks missing in the source; their bytes are zero.
  let missingBlocks: Set<Int>

  /// Takes the bytes of an image.
  ///
  /// - Throws: `wrongLength` for fewer than 176 bytes.
  package init(_ image: MemoryImage) throws(MemoryError) {
    guard image.bytes.count >= LibreProMap.byteCount else {
      throw .wrongLength(found: image.bytes.count, needed: LibreProMap.byteCount)
    }
    bytes = image.bytes
    missingBlocks = Set(image.missingBlocks)
  }

  /// The results of the three checksums, which do not cover the history. Wrong checksums are not an error here.
  ///
  /// The body is never `torn`: its checksum, its age and its indices are in one block, so they are always of the same
  /// minute. If the minute ticks while the trend is read, the body must be read again (derived).
  package var integrity: MemoryIntegrity {
    MemoryIntegrity(
      header: verdict(on: LibreProMap.header), body: verdict(on: LibreProMap.body),
      footer: verdict(on: LibreProMap.footer))
  }

  /// Checks the body and both indices.
  ///
  /// With `salvaging` a body with a wrong checksum is accepted and marked so, if its first block is there (otherwise
  /// `undatable`).
  ///
  /// - Throws: `crcMismatch`; `blockMissing`; `ringIndexOutOfRange` for a trend index above 15, and for more history
  ///   records than quarters of an hour in fourteen days or in the age.
  package func validated(salvaging: Bool = false) throws(MemoryError) -> ValidatedLibreProFRAM {
    try ValidatedLibreProFRAM(self, salvaging: salvaging)
  }

  private func verdict(on region: MemoryMap.Region) -> RegionVerdict {
    let missing = BlockSet(region.blocks.filter(missingBlocks.contains))
    return missing.isEmpty ? region.verdict(in: bytes.span) : .absent(missing)
  }

  // MARK: Offsets of the first 176 bytes come from `LibreProMap`, so they are never outside.

  func byte(_ offset: Int) -> UInt8 { bytes[offset] }

  func number(at offset: Int) -> Int { Int(bytes.span.short(at: offset)) }

  /// Returns the record at `offset`; nil if the source lacks some of its bytes.
  func record(at offset: Int) -> MeasurementRecord? {
    let place = offset..<offset + MemoryMap.Record.byteCount
    let blocks = place.lowerBound / MemoryMap.blockSize...(place.upperBound - 1) / MemoryMap.blockSize
    guard place.upperBound <= bytes.count, !blocks.contains(where: missingBlocks.contains) else { return nil }
    return MeasurementRecord(bits: bytes[place].reversed().reduce(0) { $0 << 8 | UInt64($1) })
  }
}
