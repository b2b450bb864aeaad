// SPDX-License-Identifier: Apache-2.0
// Embedded Swift cannot pass a value of any type that conforms to a protocol (see `AnyCalibrationModel`).
#if !hasFeature(Embedded)
  package import CGMModel

  /// A layout of sensor memory, shared by one or more products: how to detect it, which blocks a scan reads and
  /// repeats, and how to decode it.
  ///
  /// A new one is one file and one line in `SensorLayouts`, next to its geometry and decoder. The defaults are for a
  /// layout of a single family, unencrypted, with three checksums at its own offsets.
  package protocol SensorLayout: Sendable {
    var geometry: MemoryGeometry { get }

    /// Returns the layout of a sensor with this patch info, with the key if the UID is known; nil if it is not
    /// determined.
    func named(by patchInfo: PatchInfo, uid: SensorUID?) -> Self?

    /// Returns the layout if the content of a memory proves it during a scan; else nil.
    func proven(by memory: CheckedMemory) -> Self?

    /// Returns true for a memory that has to be decoded with this layout, damaged or not.
    func suits(_ memory: CheckedMemory) -> Bool

    /// Returns the memory as its checksums cover it, decrypted if it is encrypted; nil if the key is unknown.
    func plain(_ memory: CheckedMemory) -> CheckedMemory?

    /// The blocks of the history after the three regions. No checksum covers them; their number follows from the body.
    func historyBlocks(in memory: CheckedMemory) -> Range<Int>

    /// The minutes after which the sensor overwrites a value of the history; nil if it keeps all of them.
    var overwrittenAfterMinutes: Int? { get }

    /// The minute of the body, which shows the records written since an earlier one; nil to read the whole body again.
    func bodyTimestamp(in memory: CheckedMemory) -> BodyTimestamp?

    /// Decodes the memory with the values that `model` gives. `footer` is a valid one for a memory with a damaged one.
    func content(
      of memory: CheckedMemory, model: any CalibrationModel, salvaging: Bool, footer: [UInt8]?
    ) throws(MemoryError) -> MemoryContent

    /// Pairs of a name and a value for the memory map. A Libre 1 has a datasheet instead.
    func facts(of memory: CheckedMemory) -> [[String]]

    var caveats: [String] { get }
  }

  extension SensorLayout {
    package func named(by patchInfo: PatchInfo, uid: SensorUID?) -> Self? {
      patchInfo.family == geometry.family ? self : nil
    }

    package func proven(by memory: CheckedMemory) -> Self? { memory.kind == .other(geometry) ? self : nil }

    /// True if all checksums are valid; for a damaged memory two of them, or one and the patch info.
    package func suits(_ memory: CheckedMemory) -> Bool {
      if memory.kind != .unrecognised { return memory.kind == .other(geometry) }
      return geometry.suits(memory.integrity(in: geometry), memory.image.patchInfo)
    }

    package func plain(_ memory: CheckedMemory) -> CheckedMemory? { memory }

    package func historyBlocks(in memory: CheckedMemory) -> Range<Int> { geometry.blockCount..<geometry.blockCount }

    package var overwrittenAfterMinutes: Int? { MemoryMap.history.slots * MemoryMap.history.minutesPerSlot }

    package func bodyTimestamp(in memory: CheckedMemory) -> BodyTimestamp? { nil }

    package func facts(of memory: CheckedMemory) -> [[String]] { [] }

    package var caveats: [String] { [] }

    package func damagedRegions(of memory: CheckedMemory) -> [MemoryMap.Region] {
      geometry.verdicts(in: memory.integrity(in: geometry)).compactMap { region, verdict in
        switch verdict {
        case .bad: region
        case .ok, .torn, .absent: nil
        }
      }
    }
  }

  /// The minute of a body, by the ring slots that are written next, and the age.
  package struct BodyTimestamp: Hashable {
    let trendIndex: Int
    let historyIndex: Int
    let age: Int

    init(_ bytes: [UInt8]) {
      trendIndex = Int(bytes[MemoryMap.trendIndex])
      historyIndex = Int(bytes[MemoryMap.historyIndex])
      age = Int(bytes[MemoryMap.age]) | Int(bytes[MemoryMap.age + 1]) << 8
    }

    /// The two blocks that hold it, the first and the last of the body.
    package static let blocks = [MemoryMap.trendIndex, MemoryMap.age].map { $0 / MemoryMap.blockSize }.map {
      $0..<$0 + 1
    }

    /// The other blocks of the records that the sensor has written since `earlier`; nil if this is unknown: the minute
    /// is the same, an index is invalid, or the trend may have been written all around.
    package func blocksWritten(since earlier: BodyTimestamp) -> [Range<Int>]? {
      guard self != earlier, (0..<MemoryMap.trend.slots).contains(age - earlier.age),
        let trend = MemoryMap.trend.bytes(from: earlier.trendIndex, to: trendIndex),
        let history = MemoryMap.history.bytes(from: earlier.historyIndex, to: historyIndex)
      else { return nil }
      let written = Set((trend + history).map { $0 / MemoryMap.blockSize })
      return BlockRuns.runs(of: written.subtracting(Self.blocks.joined()))
    }
  }

  extension RingLayout {
    /// The bytes of the slots written while the index of the next slot moved; nil for an invalid index.
    fileprivate func bytes(from earlier: Int, to later: Int) -> [Int]? {
      guard (0..<slots).contains(earlier), (0..<slots).contains(later) else { return nil }
      var bytes: [Int] = []
      var slot = earlier
      while slot != later {
        let start = offset + slot * MemoryMap.Record.byteCount
        bytes += start..<start + MemoryMap.Record.byteCount
        slot = (slot + 1) % slots
      }
      return bytes
    }
  }
#endif
