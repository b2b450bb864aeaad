// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

/// The memory of a Libre Pro, filled from a simulated sensor.
enum LibreProMemory {
  /// The patch info of a Pro, with invented last bytes.
  static let patchInfo = PatchInfo([0x70, 0x00, 0x10, 0x00, 0x00, 0x00])
  /// The minutes during which a Pro measures.
  static let maxLifeMinutes = 20_160

  /// Returns the 176 bytes with checksums, then the history up to this age, in whole blocks.
  static func bytes(of sensor: SimulatedSensor, atAge age: Int) -> [UInt8] {
    let mirror = sensor.writer(atAge: age)
    // A history record is written when the trend is two minutes past it, and not after the maximum life.
    let historyCount = max(min(age - 1 - 2, maxLifeMinutes), 0) / 15
    let history = LibreProMap.historyBlocks(count: historyCount)
    var bytes = [UInt8](repeating: 0, count: history.upperBound * MemoryMap.blockSize)
    bytes[LibreProMap.state] = mirror.state
    for (index, byte) in "SIMU000-T00000".utf8.enumerated() { bytes[LibreProMap.text.offset + index] = byte }
    bytes[LibreProMap.familyByte] = 0x10
    bytes.store(UInt64(maxLifeMinutes), at: LibreProMap.maxLife, count: 2)
    for (index, byte) in LibreProMap.constants.bytes.enumerated() {
      bytes[LibreProMap.constants.offset + index] = byte
    }
    bytes.store(mirror.calibrationBits, at: LibreProMap.calibration, count: 8)
    bytes.store(UInt64(age), at: LibreProMap.age, count: 2)
    bytes.store(UInt64(mirror.trendIndex), at: LibreProMap.trendIndex, count: 2)
    bytes.store(UInt64(historyCount), at: LibreProMap.historyCount, count: 2)
    let size = MemoryMap.Record.byteCount
    for (slot, record) in mirror.trend.enumerated() {
      bytes.store(record.bits, at: LibreProMap.trend.offset + slot * size, count: size)
    }
    for index in 0..<historyCount {
      let record = sensor.historyRecord(minute: 15 * (index + 1))
      bytes.store(record.bits, at: LibreProMap.history.offset + index * size, count: size)
    }
    for region in LibreProMap.geometry.regions { bytes.seal(region.bytes) }
    return bytes
  }
}
