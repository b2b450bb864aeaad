// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

/// Lengths in every format: whole blocks, at most as many as NFC can reach in the layout (`MemoryGeometry`).
package enum DumpLength {
  /// Checks a length. Shorter memories than a sensor's pass, because they have an error of their own, `truncated`.
  /// Throws `DumpError.noMemory` for zero bytes, `wrongLength` for more than a sensor has and for a cut block.
  package static func check(_ bytes: [UInt8]) throws(DumpError) {
    if bytes.isEmpty { throw .noMemory }
    guard bytes.count > MemoryMap.byteCount else { return }
    // Only a correct checksum shows that a memory has a layout with more blocks than a Libre 1.
    let isLonger = MemoryGeometry.others.contains { geometry in
      bytes.count <= geometry.fullBlockCount * MemoryMap.blockSize
        && geometry.integrity(of: MemoryImage(bytes: bytes)).trustedRegions > 0
    }
    if bytes.count > MemoryMap.fullByteCount && !isLonger || !bytes.count.isMultiple(of: MemoryMap.blockSize) {
      throw .wrongLength(found: bytes.count)
    }
  }

  /// The highest block number of all sensors, plus one.
  static let blockLimit = MemoryGeometry.all.map(\.fullBlockCount).max() ?? 0
}
