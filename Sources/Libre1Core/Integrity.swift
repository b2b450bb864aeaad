// SPDX-License-Identifier: Apache-2.0
import CGMModel

extension FRAM {
  static func integrity(of memory: Span<UInt8>, missing: BlockSet) -> MemoryIntegrity {
    MemoryIntegrity(
      header: verdict(on: MemoryMap.header, in: memory, missing: missing),
      body: bodyVerdict(in: memory, missing: missing),
      footer: verdict(on: MemoryMap.footer, in: memory, missing: missing))
  }

  @inline(__always) private static func verdict(on region: MemoryMap.Region, in memory: Span<UInt8>, missing: BlockSet)
    -> RegionVerdict
  {
    if !missing.isEmpty {
      let missing = missing.intersection(region.blocks)
      if !missing.isEmpty { return .absent(missing) }
    }
    return region.verdict(in: memory)
  }

  /// If the sensor's minute ticks during the read, the checksum at the body's start is older than the age at its end:
  /// it is then correct for an age of one less (derived, Libre1Core/MemoryFormat, "Damage").
  private static func bodyVerdict(in memory: Span<UInt8>, missing: BlockSet) -> RegionVerdict {
    let verdict = verdict(on: MemoryMap.body, in: memory, missing: missing)
    let age = memory.short(at: MemoryMap.age)
    guard case .bad(let stored, _) = verdict, age > 0 else { return verdict }
    let before = bytes(of: memory, age: age - 1)
    return MemoryMap.body.checksums(in: before.span).computed == stored ? .torn : verdict
  }

  private static func bytes(of memory: Span<UInt8>, age: UInt16) -> InlineArray<344, UInt8> {
    var bytes = InlineArray<344, UInt8> { memory[$0] }
    bytes[MemoryMap.age] = UInt8(truncatingIfNeeded: age)
    bytes[MemoryMap.age + 1] = UInt8(truncatingIfNeeded: age >> 8)
    return bytes
  }
}

extension MemoryMap.Region {
  /// The stored checksum and the one computed from the bytes. `memory` must reach to the region's end.
  @inline(__always) package func checksums(in memory: Span<UInt8>) -> (stored: UInt16, computed: UInt16) {
    (memory.short(at: start), CRC16.checksum(ofRegion: memory.extracting(bytes)))
  }

  /// `ok` or `bad`. `memory` must reach to the region's end.
  @inline(__always) func verdict(in memory: Span<UInt8>) -> RegionVerdict {
    let (stored, computed) = checksums(in: memory)
    return RegionVerdict(stored: stored, computed: computed)
  }
}
