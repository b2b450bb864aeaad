// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Libre1Core

struct MemoryMapTests {
  @Test("three regions cover the 344 bytes, each starting with its checksum")
  func regions() {
    #expect(MemoryMap.regions.map(\.name) == ["header", "body", "footer"])
    #expect(MemoryMap.regions.map(\.bytes) == [0..<24, 24..<320, 320..<344])
    #expect(MemoryMap.regions.map(\.covered) == [2..<24, 26..<320, 322..<344])
    #expect(MemoryMap.regions.map(\.blocks) == [0..<3, 3..<40, 40..<43])
    #expect(MemoryMap.code.bytes == 344..<1_904)
    #expect(MemoryMap.code.covered == 346..<1_904)
    #expect(MemoryMap.byteCount == 344)
    #expect(MemoryMap.fullByteCount == 244 * 8)
  }

  @Test("the bits of a field are read with their weights and set without changing its neighbours")
  func bitField() {
    let field = BitField(offset: 0, first: 40, width: 12, scale: 4)
    #expect(field.value(in: 0x0008_9900_0000_0000) == 8_804)
    #expect(field.value(in: 0xFFF0_00FF_FFFF_FFFF) == 0)
    #expect(field.setting(8_804, in: 0) == 0x0008_9900_0000_0000)
    #expect(field.setting(0, in: .max) == 0xFFF0_00FF_FFFF_FFFF)
    #expect(BitField(offset: 0, first: 52, width: 12).value(in: .max) == 4_095)
    #expect(BitField(offset: 0, first: 0, width: 3).setting(9, in: 0) == 1)
  }
}
