// SPDX-License-Identifier: Apache-2.0
package import CGMModel
package import Libre1Core

/// A way in which sensors lay out their memory, however many products share it: how it is told apart, what a scan reads
/// and reads again, and how it is decoded.
///
/// A new one is one file and one line in the registry, beside its geometry and decoder in Libre1Core. The defaults are for
/// a layout that one family has for itself, unencrypted, with three checksums in places of its own.
package protocol SensorLayout: Sendable {
  var geometry: MemoryGeometry { get }

  // MARK: Telling it apart

  /// Returns the layout of a sensor with this patch info, with the key that a UID adds; nil if the patch info names
  /// another layout or does not settle it.
  func named(by patchInfo: PatchInfo, uid: SensorUID?) -> Self?

  /// Returns the layout that a memory proves by itself, while it is scanned; nil if it does not.
  func proven(by memory: CheckedImage) -> Self?

  /// Returns true for a memory that is to be decoded in this layout, damaged or not.
  func suits(_ memory: CheckedImage) -> Bool

  // MARK: Scanning it

  /// The blocks of the history behind the three regions, which no checksum covers and whose end only the sensor knows, as
  /// far as a memory read so far counts them.
  func historyBlocks(in image: MemoryImage) -> Range<Int>

  /// The verdicts of the checksums; nil where they say nothing, because the key is not known.
  func integrity(of image: MemoryImage) -> MemoryIntegrity?

  /// What the body says of its minute in a way that shows which records were written since; nil where all of it has to
  /// be read again.
  func bodyTimestamp(in image: MemoryImage) -> BodyTimestamp?

  // MARK: Decoding it

  /// Decodes the memory.
  ///
  /// `model` turns counts into concentrations; `footer` is a good one of the same sensor, for a memory whose own is
  /// damaged. Throws what is wrong with the bytes.
  func content(
    of memory: CheckedImage, model: any CalibrationModel, salvaging: Bool, footer: [UInt8]?
  ) throws(MemoryError) -> MemoryContent

  /// What a memory map says about the whole memory, as pairs of a name and a value. A Libre 1 has a datasheet instead.
  func facts(of image: MemoryImage) -> [[String]]

  /// Sentences with which the memory map ends: what is not known about the bytes.
  var caveats: [String] { get }
}

extension SensorLayout {
  package func named(by patchInfo: PatchInfo, uid: SensorUID?) -> Self? {
    patchInfo.family == geometry.family ? self : nil
  }

  package func proven(by memory: CheckedImage) -> Self? { memory.kind == .other(geometry) ? self : nil }

  /// Where all its checksums hold; of a damaged memory two of them, or one and the patch info.
  package func suits(_ memory: CheckedImage) -> Bool {
    if memory.kind != .unrecognised { return memory.kind == .other(geometry) }
    return memory.trustedRegions(in: geometry) >= (memory.image.patchInfo?.family == geometry.family ? 1 : 2)
  }

  package func historyBlocks(in image: MemoryImage) -> Range<Int> { geometry.blockCount..<geometry.blockCount }

  package func bodyTimestamp(in image: MemoryImage) -> BodyTimestamp? { nil }

  package func facts(of image: MemoryImage) -> [[String]] { [] }

  package var caveats: [String] { [] }

  /// The runs of blocks to read, in order; each can be read again by itself.
  func sections(of image: MemoryImage) -> [Range<Int>] {
    geometry.regions.map(\.blocks) + [historyBlocks(in: image)]
  }

  /// The regions whose checksum does not hold though all their blocks are there.
  func damagedRegions(of image: MemoryImage) -> [MemoryMap.Region] {
    guard let integrity = integrity(of: image) else { return [] }
    return geometry.verdicts(in: integrity).compactMap { region, verdict in
      switch verdict {
      case .bad: region
      case .ok, .torn, .absent: nil
      }
    }
  }
}
