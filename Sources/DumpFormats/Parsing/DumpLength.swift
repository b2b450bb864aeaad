// SPDX-License-Identifier: Apache-2.0
import Libre1Core

/// Which numbers of bytes a dump of a memory can have: whole blocks, up to 1952 bytes; up to 8240 of a Libre Pro with two
/// weeks of history.
enum DumpLength {
  /// Shorter ones pass: they are `truncated`, which is another fault than a wrong number. None at all are no memory.
  static func check(_ bytes: [UInt8]) throws(DumpError) {
    if bytes.isEmpty { throw .noMemory }
    guard bytes.count > MemoryMap.byteCount else { return }
    let longest =
      bytes.count > MemoryMap.fullByteCount && LibreProMap.trustedRegions(in: bytes.span) > 0
      ? blockLimit * MemoryMap.blockSize : MemoryMap.fullByteCount
    if bytes.count > longest || !bytes.count.isMultiple(of: MemoryMap.blockSize) {
      throw .wrongLength(found: bytes.count)
    }
  }

  /// Behind the last block of any sensor: of a Libre Pro with two weeks of history.
  static let blockLimit = LibreProMap.blockLimit
}
