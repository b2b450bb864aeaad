// SPDX-License-Identifier: Apache-2.0

/// The order of a ring's slots: the sensor writes them in turn, and the memory holds the number of the *next* one.
struct Ring {
  let layout: RingLayout
  /// 0…slots − 1.
  let nextSlot: Int

  /// 0 is the newest.
  func slot(newest index: Int) -> Int {
    Integers.floorMod(nextSlot &- 1 &- index, layout.slots)
  }

  func bytes(newest index: Int) -> Range<Int> {
    let start = layout.offset &+ slot(newest: index) &* MemoryMap.Record.byteCount
    return start..<start &+ MemoryMap.Record.byteCount
  }
}

enum Integers {
  /// The remainder that is never negative: Swift's `%` has the sign of the dividend.
  static func floorMod(_ value: Int, _ modulus: Int) -> Int {
    let remainder = value % modulus
    return remainder < 0 ? remainder + modulus : remainder
  }
}
