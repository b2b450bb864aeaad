// SPDX-License-Identifier: Apache-2.0
public import CGMModel
import Libre1Core
import LibreKit

/// The memory map of one dump, byte by byte, damaged or not: what its text and its JSON show.
public struct MemoryMapListing: Sendable {
  let path: String
  let format: String
  /// The length of the dump, which may be longer or shorter than a memory.
  let byteCount: Int
  let kind: MemoryKind
  let isDecrypted: Bool
  /// Why the meanings may not hold; nil where nothing speaks against them.
  let remark: String?
  /// All regions in the order of their offsets.
  let regions: [Region]
  /// What is known of the memory as a whole, as pairs of a name and a value, where there is no datasheet.
  let facts: [[String]]
  /// All fields in the order of their offsets, without a gap.
  let fields: [Field]
  /// The sensor's program; nil where the dump lacks it.
  let code: Region?
  let caveats: [String]

  /// A stretch of memory with a checksum of its own.
  struct Region: Sendable {
    let region: MemoryMap.Region
    let verdict: RegionVerdict
    /// nil where the dump lacks a part of it.
    let checksums: (stored: UInt16, computed: UInt16)?
  }

  /// Bytes with one meaning.
  struct Field: Sendable {
    let offset: Int
    /// nil for each that the dump lacks.
    let bytes: [UInt8?]
    let name: String
    /// Empty where nothing is to be said.
    let value: String
    let confidence: Datasheet.Confidence?
    let record: (slot: Datasheet.Slot, record: MeasurementRecord, minute: Int?)?

    var isMissing: Bool { bytes.contains(nil) }
  }

  /// The map of an image, decrypted where its key is known; `path` and `format` are those of its file.
  public init(of image: MemoryImage, path: String, format: String) {
    let shown = Self.shown(CheckedImage(image))
    let memory = shown.memory
    (self.path, self.format, byteCount, kind) = (path, format, image.bytes.count, memory.kind)
    if let layout = Registry.sensorLayouts.first(where: { memory.kind == .other($0.geometry) }) {
      (isDecrypted, remark, code, caveats) = (false, nil, nil, layout.caveats)
      guard let integrity = layout.integrity(of: memory.image) else { preconditionFailure("as its checksums say") }
      regions = Self.regions(layout.geometry, integrity, in: memory.image.bytes)
      facts = layout.facts(of: memory.image)
      fields = Self.blocks(of: memory.image, layout.geometry)
      return
    }
    (isDecrypted, remark, facts, caveats) = (shown.isDecrypted, shown.remark, [], [])
    let fram = memory.fram
    let (bytes, missing) = (fram.allBytes, fram.missingBlocks)
    regions = Self.regions(MemoryMap.geometry, fram.integrity, in: bytes)
    fields = Datasheet.entries.map { entry in
      let shown = entry.bytes.map { missing.contains($0 / MemoryMap.blockSize) ? nil : bytes[$0] }
      let isMissing = shown.contains(nil)
      return Field(
        offset: entry.bytes.lowerBound, bytes: shown, name: entry.name, value: isMissing ? "" : entry.value(in: fram),
        confidence: entry.confidence,
        record: entry.slot.flatMap { slot in
          let (record, minute) = slot.record(in: fram)
          return isMissing ? nil : (slot, record, minute)
        })
    }
    let isWhole = image.bytes.count >= MemoryMap.code.end
    let checksums = isWhole ? MemoryMap.code.checksums(in: image.bytes.span) : nil
    code = checksums.map {
      Region(
        region: MemoryMap.code, verdict: RegionVerdict(stored: $0.stored, computed: $0.computed), checksums: $0)
    }
  }

  private static func regions(
    _ geometry: MemoryGeometry, _ integrity: MemoryIntegrity, in bytes: [UInt8]
  ) -> [Region] {
    geometry.verdicts(in: integrity).map { region, verdict in
      let isWhole = if case .absent = verdict { false } else { bytes.count >= region.end }
      return Region(region: region, verdict: verdict, checksums: isWhole ? region.checksums(in: bytes.span) : nil)
    }
  }

  /// The blocks of a memory without a datasheet, each with the region that it belongs to.
  private static func blocks(of image: MemoryImage, _ geometry: MemoryGeometry) -> [Field] {
    let size = MemoryMap.blockSize
    return stride(from: 0, to: image.bytes.count, by: size).map { start in
      let bytes = image.bytes[start..<min(start + size, image.bytes.count)]
      let isMissing = image.missingBlocks.contains(start / size)
      return Field(
        offset: start, bytes: bytes.map { isMissing ? nil : $0 },
        name: geometry.regions.first { $0.bytes.contains(start) }?.name ?? "history", value: "", confidence: nil,
        record: nil)
    }
  }

  /// The memory decrypted, or as it is where nothing holds, with or without a key; and a remark on that. Why it is shown
  /// encrypted is said where UID and patch info are known.
  private static func shown(
    _ memory: CheckedImage
  ) -> (memory: CheckedImage, isDecrypted: Bool, remark: String?) {
    let image = memory.image
    let hasKey = image.uid != nil && image.patchInfo?.family.isEncrypted == true
    do {
      let plain = try PlainMemory(memory)
      if plain.isBodyProven { return (plain.memory, plain.memory != memory, nil) }
      return (memory, false, hasKey ? "encrypted: one of UID and patch info is not this sensor's" : nil)
    } catch {
      let remark = "encrypted: \(LibreError.memory(error).message), so the meanings below do not hold"
      return (memory, false, hasKey ? remark : nil)
    }
  }
}
