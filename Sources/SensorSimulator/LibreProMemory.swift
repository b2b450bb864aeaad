// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

/// The memory that a Libre Pro shows without commands, filled from a simulated sensor.
enum LibreProMemory {
  /// The patch info of a Pro in Europe, with an invented end.
  static let patchInfo = PatchInfo([0x70, 0x00, 0x10, 0x01, 0x00, 0x00])

  static func bytes(of sensor: SimulatedSensor, atAge age: Int) -> [UInt8] {
    let mirror = sensor.writer(atAge: age)
    let newest = age - 1
    var bytes = [UInt8](repeating: 0, count: LibreProMap.byteCount)
    bytes[LibreProMap.state] = mirror.state
    for (index, byte) in "SIMU000-T00000".utf8.enumerated() { bytes[LibreProMap.text + index] = byte }
    bytes.store(0x0110, at: LibreProMap.family, count: 2)
    bytes.store(20_160, at: LibreProMap.maxLife, count: 2)
    bytes.store(mirror.calibrationBits, at: LibreProMap.calibration, count: 8)
    bytes.store(UInt64(age), at: LibreProMap.age, count: 2)
    bytes.store(UInt64(mirror.trendIndex), at: LibreProMap.trendIndex, count: 2)
    bytes.store(UInt64(max(newest - 2, 0) / 15), at: LibreProMap.historyCount, count: 2)
    let size = MemoryMap.Record.byteCount
    for (slot, record) in mirror.trend.enumerated() {
      bytes.store(record.bits, at: LibreProMap.trend.offset + slot * size, count: size)
    }
    for region in LibreProMap.regions { bytes.seal(region.bytes) }
    return bytes
  }
}
