// SPDX-License-Identifier: Apache-2.0
import Libre1Core

/// The lengths that a dump of a memory may have, in every format: whole blocks, up to 1952 bytes; up to 8800 bytes for a
/// Libre Pro.
///
/// A format that reads or writes a memory of its own asks this, so that what one format reads no other refuses.
public enum DumpLength {
  /// Lets shorter memories than a sensor's pass: they are `truncated`, which is another fault than a wrong length.
  ///
  /// - Throws: `DumpError.noMemory` for zero bytes, `wrongLength` for more than a sensor has and for a cut block.
  public static func check(_ bytes: [UInt8]) throws(DumpError) {
    if bytes.isEmpty { throw .noMemory }
    guard bytes.count > MemoryMap.byteCount else { return }
    let longest =
      bytes.count > MemoryMap.fullByteCount && LibreProMap.trustedRegions(in: bytes.span) > 0
      ? blockLimit * MemoryMap.blockSize : MemoryMap.fullByteCount
    if bytes.count > longest || !bytes.count.isMultiple(of: MemoryMap.blockSize) {
      throw .wrongLength(found: bytes.count)
    }
  }

  /// One more than the last block of any sensor: that of a Libre Pro.
  static let blockLimit = LibreProMap.fullBlockCount
}
