// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Libre1Core

struct RingTests {
  @Test("the newest record is in the slot before the next write position, and slot 0 follows the last slot")
  func order() {
    let trend = Ring(layout: MemoryMap.trend, nextSlot: 3)
    #expect((0..<16).map(trend.slot) == [2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3])
    let history = Ring(layout: MemoryMap.history, nextSlot: 0)
    #expect((0..<32).map(history.slot) == (0..<32).map { 31 - $0 })
  }

  @Test("slots are six bytes each from offset 28 (trend) and 124 (history)")
  func bytes() {
    #expect(Ring(layout: MemoryMap.trend, nextSlot: 1).bytes(newest: 0) == 28..<34)
    #expect(Ring(layout: MemoryMap.trend, nextSlot: 8).bytes(newest: 0) == 70..<76)
    #expect(Ring(layout: MemoryMap.trend, nextSlot: 0).bytes(newest: 0) == 118..<124)
    #expect(Ring(layout: MemoryMap.history, nextSlot: 1).bytes(newest: 0) == 124..<130)
    #expect(Ring(layout: MemoryMap.history, nextSlot: 0).bytes(newest: 0) == 310..<316)
  }

  @Test(
    "the floor modulo is never negative",
    arguments: [(7, 16, 7), (16, 16, 0), (-1, 16, 15), (-16, 16, 0), (-17, 16, 15), (-31, 32, 1), (0, 32, 0)])
  func floorModulo(value: Int, modulus: Int, remainder: Int) {
    #expect(Integers.floorMod(value, modulus) == remainder)
  }
}
