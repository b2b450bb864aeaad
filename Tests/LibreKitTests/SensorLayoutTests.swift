// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import Testing

@testable import LibreKit

/// Tests every layout in the registry, so that an entry there is enough to test a new one.
@Suite("Every layout of memory")
struct SensorLayoutTests {
  /// The longest unencrypted memory of a scenario with this layout.
  private static func image(_ layout: any SensorLayout) throws -> MemoryImage {
    let images = Scenario.all.filter { $0.expectation == .decodes }.map { $0.image(seed: 1) }.filter { image in
      switch CheckedMemory(image).kind {
      case .libre1: layout.geometry == MemoryMap.geometry
      case .other(let geometry): layout.geometry == geometry
      case .blank, .unrecognised: false
      }
    }
    return try #require(images.max { $0.bytes.count < $1.bytes.count }, "no scenario has this layout")
  }

  @Test(
    "has a geometry of its own, and finds the region with a wrong byte, and none in a valid memory or where blocks are missing"
  )
  func geometries() throws {
    #expect(Set(SensorLayouts.all.map(\.geometry)) == Set(MemoryGeometry.all))
    #expect(SensorLayouts.all.count == MemoryGeometry.all.count)
    for layout in SensorLayouts.all {
      let image = try Self.image(layout)
      #expect(layout.damagedRegions(of: CheckedMemory(image)).isEmpty)
      for region in layout.geometry.regions {
        var damaged = image
        damaged.bytes[region.start + 5] ^= 0x10
        #expect(layout.damagedRegions(of: CheckedMemory(damaged)) == [region])
        damaged.missingBlocks = Array(region.blocks)
        #expect(layout.damagedRegions(of: CheckedMemory(damaged)).isEmpty)
      }
    }
  }

  @Test("has three regions that cover its first blocks without a gap, and is read in order", arguments: layouts)
  func regions(layout: any SensorLayout) throws {
    let geometry = layout.geometry
    var end = 0
    for region in geometry.regions {
      #expect(region.start == end && region.end.isMultiple(of: MemoryMap.blockSize))
      end = region.end
    }
    #expect(end == geometry.byteCount)
    #expect((geometry.blockCount...geometry.fullBlockCount).contains(geometry.dataBlockCount))
    for image in [try Self.image(layout), MemoryImage(bytes: [UInt8](repeating: 0, count: geometry.byteCount))] {
      let sections = geometry.regions.map(\.blocks) + [layout.historyBlocks(in: CheckedMemory(image))]
      #expect(sections.contains(geometry.body.blocks))
      #expect(sections.flatMap(\.self) == Array(0..<sections[sections.count - 1].upperBound))
      #expect(sections[sections.count - 1].upperBound <= geometry.dataBlockCount)
    }
  }

  @Test("belongs only to patch infos of its own families, and decides the keys of encrypted ones")
  func patchInfos() throws {
    let uid = try #require(SensorUID(bits: 0xE007_A400_0025_905E))
    for first in [0x00, 0x70, 0x9D, 0xA2, 0xDF, 0xE5] as [UInt8] {
      for third in [0x00, 0x03, 0x10, 0x30, 0x3A, 0x70] as [UInt8] {
        let info = try #require(PatchInfo([first, 0, third, 1, 0, 0]))
        let named = SensorLayouts.all.compactMap { $0.named(by: info, uid: uid) }
        #expect(named.count <= 1, "\(info)")
        for layout in named where layout.geometry != MemoryMap.geometry {
          #expect(layout.geometry.family == info.family)
        }
        if info.family.isEncrypted || !info.family.isReadable { #expect(named.first?.geometry == MemoryMap.geometry) }
      }
    }
  }

  static let layouts = SensorLayouts.all
}
