// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

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
  static let blocks = [MemoryMap.trendIndex, MemoryMap.age].map { $0 / MemoryMap.blockSize }.map { $0..<$0 + 1 }

  /// The other blocks of the records that the sensor has written since `earlier`; nil if this is unknown: the minute is
  /// the same, an index is invalid, or the trend may have been written all around.
  func blocksWritten(since earlier: BodyTimestamp) -> [Range<Int>]? {
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
