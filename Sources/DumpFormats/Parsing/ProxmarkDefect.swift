// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

/// A defect of Proxmark3 clients: for a tag with many pages they write lock bytes over the start of the memory
/// (DumpFormats/Formats, "Overwritten start"). Later clients have room for 256 pages, and keep the damage of older
/// ones.
enum ProxmarkDefect {
  /// The sizes of the table: since 26 January 2024, and before. The file seldom shows which it was.
  private static let lockCounts = [160, 64]

  /// If the client has overwritten its start, that start is missing. A sensor's header never consists of lock bytes:
  /// its checksum would not be zero. If the header is not in the file, the defect cannot be detected.
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
