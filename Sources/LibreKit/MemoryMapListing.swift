// SPDX-License-Identifier: Apache-2.0

/// The memory map of one dump, byte by byte, damaged or not.
package struct MemoryMapListing: Sendable {
  package let path: String
  package let format: String
  /// The length of the dump, which may be longer or shorter than a memory.
  package let byteCount: Int
  package let kind: MemoryKind
  package let isDecrypted: Bool
  /// The reason why the meanings may be wrong; nil without such a reason.
  package let remark: String?
  package let regions: [Region]
  /// Facts about the whole memory, as pairs of a name and a value, for a layout without a datasheet.
  package let facts: [[String]]
  /// All fields in the order of their offsets, without a gap.
  package let fields: [Field]
  /// The region of the sensor's program; nil if the dump lacks it.
  package let code: Region?
  package let caveats: [String]

  package struct Region: Sendable {
    package let region: MemoryMap.Region
    package let verdict: RegionVerdict
    /// The checksums; nil if the dump lacks a part of the region.
    package let checksums: (stored: UInt16, computed: UInt16)?
  }

  package struct Field: Sendable {
    package let offset: Int
    /// The bytes; nil for each that the dump lacks.
    package let bytes: [UInt8?]
    package let name: String
    /// The meaning of the bytes; may be empty.
    package let value: String
    package let confidence: Datasheet.Confidence?
    package let record: (slot: Datasheet.Slot, record: MeasurementRecord, minute: Int?)?

    package var isMissing: Bool { bytes.contains(nil) }
  }

  /// Creates the map of an image, decrypted if its key is known; `path` and `format` are those of its file.
  package init(of image: MemoryImage, path: String, format: String) {
    let shown = Self.shown(CheckedMemory(image))
    let memory = shown.memory
    (self.path, self.format, byteCount, kind) = (path, format, image.bytes.count, memory.kind)
    if let layout = SensorLayouts.all.first(where: { memory.kind == .other($0.geometry) }) {
      (isDecrypted, remark, code, caveats) = (false, nil, nil, layout.caveats)
      regions = Self.regions(layout.geometry, memory.integrity(in: layout.geometry), in: memory.image.bytes)
      facts = layout.facts(of: memory)
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
      Region(region: MemoryMap.code, verdict: RegionVerdict(stored: $0.stored, computed: $0.computed), checksums: $0)
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

  /// The decrypted memory, or the unchanged one if it cannot be decrypted; with UID and patch info also the reason.
  private static func shown(_ memory: CheckedMemory) -> (memory: CheckedMemory, isDecrypted: Bool, remark: String?) {
    let image = memory.image
    let hasKey = image.uid != nil && image.patchInfo?.family.isEncrypted == true
    do {
      let plain = try PlainMemory(memory)
      if plain.isBodyProven { return (plain.memory, plain.memory != memory, nil) }
      return (memory, false, hasKey ? "encrypted: the UID or the patch info is not this sensor's" : nil)
    } catch {
      let remark = "encrypted: \(LibreError.memory(error).message), so the meanings below are wrong"
      return (memory, false, hasKey ? remark : nil)
    }
  }
}
