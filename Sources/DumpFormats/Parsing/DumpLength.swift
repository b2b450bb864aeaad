// SPDX-License-Identifier: Apache-2.0
import Libre1Core

/// The lengths that a dump of a memory may have, in every format: whole blocks, as many as NFC can reach in a memory of its
/// layout (`MemoryGeometry`).
///
/// A format that reads or writes a memory of its own asks this, so that what one format reads no other refuses.
public enum DumpLength {
  /// Lets shorter memories than a sensor's pass: they are `truncated`, which is another fault than a wrong length.
  ///
  /// - Throws: `DumpError.noMemory` for zero bytes, `wrongLength` for more than a sensor has and for a cut block.
  public static func check(_ bytes: [UInt8]) throws(DumpError) {
    if bytes.isEmpty { throw .noMemory }
    guard bytes.count > MemoryMap.byteCount else { return }
    // Only a checksum that holds shows that a memory is of a layout with more blocks than a Libre 1 has.
    let isLonger = MemoryGeometry.others.contains { geometry in
      bytes.count <= geometry.fullBlockCount * MemoryMap.blockSize && geometry.trustedRegions(in: bytes.span) > 0
    }
    if bytes.count > MemoryMap.fullByteCount && !isLonger || !bytes.count.isMultiple(of: MemoryMap.blockSize) {
      throw .wrongLength(found: bytes.count)
    }
  }

  /// One more than the last block of any sensor.
  static let blockLimit = MemoryGeometry.all.map(\.fullBlockCount).max() ?? 0
}
