// SPDX-License-Identifier: Apache-2.0
import CGMModel
import DumpFormats
import Libre1Core
import LibreKit

/// What holds for any memory that a format reads, and for every file that is written of it.
enum DumpOracle {
  /// The longest that a Libre Pro can show.
  private static let longest = 1_100 * 8

  static func check(_ image: MemoryImage) throws(OracleFailure) {
    try require(image.bytes.count <= longest, "\(image.bytes.count) bytes are more than any sensor shows")
    try require(
      zip([-1] + image.missingBlocks, image.missingBlocks).allSatisfy(<), "missing blocks ascend, from 0 on")
    try require(
      image.missingBlocks.allSatisfy { $0 * MemoryMap.blockSize < image.bytes.count },
      "no block behind the end is missing")
    for writer in Catalogue.standard.dumpWriters {
      // A long memory that begins with nothing is what the Proxmark's defect leaves, and is read as that.
      let isAsOverwritten = image.bytes.count > 1_280 && image.bytes.prefix(84).allSatisfy { $0 <= 1 }
      if writer.name == "proxmark-json", isAsOverwritten { continue }
      guard let file = try? writer.file(of: image) else { continue }
      let again: MemoryImage
      do {
        again = try DumpChoice.number(1).dump(in: try writer.dumps(in: DumpFile(file))).dump.image
      } catch {
        throw OracleFailure(description: "\(writer.name): what was written is refused: \(error)")
      }
      try require(again.told(by: writer) == image.told(by: writer), "\(writer.name): written and read it is the same")
    }
  }
}

extension MemoryImage {
  /// What a file of the writer's can hold of it. The bytes of missing blocks mean nothing.
  fileprivate func told(by writer: any DumpWriter) -> MemoryImage {
    var bytes = bytes
    for block in missingBlocks {
      let start = block * MemoryMap.blockSize
      for offset in start..<start + MemoryMap.blockSize where offset < bytes.count { bytes[offset] = 0 }
    }
    return MemoryImage(
      bytes: bytes, missingBlocks: writer.holds.contains(.missingBlocks) ? missingBlocks : [],
      uid: writer.holds.contains(.uid) ? uid : nil, patchInfo: writer.holds.contains(.patchInfo) ? patchInfo : nil,
      readAt: writer.holds.contains(.readAt) ? readAt : nil)
  }
}
