// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

/// A Proxmark3 client writes the lock bytes of a tag with more pages than it has room for over the start of the memory.
///
/// One lock byte a page is written into a table of 160 without a bound, and the memory follows the table: the bytes of
/// pages 160 to 243 fall on the first 84 of the memory. File and console show the same structure (read: Proxmark3
/// `1c8c3b78`; derived, reproduced in C; not seen on hardware). Later clients have room for 256 pages, and take over
/// what an older one damaged.
enum ProxmarkDefect {
  /// Lock bytes that clients had room for: since 26 January 2024, and before. The file seldom says which it was.
  private static let lockCounts = [160, 64]

  /// The dump, and if the client has overwritten its start, that start as missing blocks.
  ///
  /// A sensor's header is never lock bytes alone: its checksum is not zero then. Of a header that is not in the file
  /// nothing can be said.
  static func marked(_ dump: Dump) -> Dump {
    let pageCount = dump.image.bytes.count / MemoryMap.blockSize
    let lost = lockCounts.filter { $0 < pageCount }.map { 0..<MemoryMap.fullByteCount / MemoryMap.blockSize - $0 }
      .last { dump.image.bytes[$0].allSatisfy { $0 <= 1 } }
    guard let lost, pageCount > lockCounts[0], !dump.image.missingBlocks.contains(0) else { return dump }
    var image = dump.image
    let blocks = 0...(lost.upperBound - 1) / MemoryMap.blockSize
    image.missingBlocks = Set(image.missingBlocks).union(blocks).sorted()
    let bytes = 0..<blocks.count * MemoryMap.blockSize
    image.bytes.replaceSubrange(bytes, with: repeatElement(0, count: bytes.count))
    return Dump(image: image, label: dump.label, line: dump.line, defect: .overwrittenByProxmark)
  }
}
