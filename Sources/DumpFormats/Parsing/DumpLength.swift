// SPDX-License-Identifier: Apache-2.0
import Libre1Core

/// Which numbers of bytes a dump of a memory can have.
enum DumpLength {
  /// Shorter ones pass: they are `truncated`, which is another fault than a wrong number.
  static func check(_ count: Int) throws(DumpError) {
    let isLong = count > MemoryMap.byteCount
    if isLong && (count > MemoryMap.fullByteCount || !count.isMultiple(of: MemoryMap.blockSize)) {
      throw .wrongLength(found: count)
    }
  }
}
