// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// The regions and sizes of one memory layout, which distinguish it from others before any field is decoded.
package struct MemoryGeometry: Hashable, Sendable {
  /// The family with this layout; if several share it, the one whose layout the decrypted memories have.
  package let family: SensorFamily
  package let header: MemoryMap.Region
  package let body: MemoryMap.Region
  package let footer: MemoryMap.Region
  /// The number of blocks up to the end of the data, which may be longer than the regions.
  package let dataBlockCount: Int
  /// The number of blocks that NFC can reach: the data and the sensor's program.
  package let fullBlockCount: Int

  /// All layouts but that of a Libre 1. A scan or a dump has such a layout if all three checksums of it are correct.
  package static let others = [LibreProMap.geometry]
  package static let all = [MemoryMap.geometry] + others
  /// Length of the shortest whole memory.
  package static let minimumByteCount = all.map { $0.byteCount }.min() ?? 0

  /// True for a damaged memory that has to be decoded with this layout: two checksums are correct, or one and the patch
  /// info. Another layout's must all be wrong.
  func suits(_ integrity: MemoryIntegrity, _ patchInfo: PatchInfo?) -> Bool {
    integrity.trustedRegions >= (patchInfo?.family == family ? 1 : 2)
  }

  package var regions: [MemoryMap.Region] { [header, body, footer].sorted { $0.start < $1.start } }
  package var blockCount: Int { max(header.blocks.upperBound, body.blocks.upperBound, footer.blocks.upperBound) }
  package var byteCount: Int { blockCount * MemoryMap.blockSize }

  package func verdicts(in integrity: MemoryIntegrity) -> [(region: MemoryMap.Region, verdict: RegionVerdict)] {
    [(header, integrity.header), (body, integrity.body), (footer, integrity.footer)].sorted { $0.0.start < $1.0.start }
  }

  /// Checks the regions of a memory that may be truncated. A region of which the source lacks a block is `absent`.
  package func integrity(of image: MemoryImage) -> MemoryIntegrity {
    integrity(of: image.bytes.span, missing: BlockSet(image.missingBlocks))
  }

  func integrity(of bytes: Span<UInt8>, missing: BlockSet) -> MemoryIntegrity {
    let wholeBlocks = bytes.count / MemoryMap.blockSize
    func verdict(on region: MemoryMap.Region) -> RegionVerdict {
      var absent = BlockSet()
      for block in region.blocks where block >= wholeBlocks || missing.contains(block) { absent.insert(block) }
      return absent.isEmpty ? region.verdict(in: bytes) : .absent(absent)
    }
    return MemoryIntegrity(
      header: verdict(on: header), body: verdict(on: body), footer: verdict(on: footer))
  }
}
