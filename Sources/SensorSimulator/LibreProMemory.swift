// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// The 176 bytes that a Libre Pro shows without commands, filled from a simulated sensor (read: xDrip, DiaBLE; verified
/// on five memories, FORMAT 7).
///
/// | bytes | content |
/// |---|---|
/// | 0…39 | header: checksum, state at 4, text from 24 |
/// | 40…71 | footer: checksum, patch info bytes 2 and 3, maximum life at 46, calibration at 56 |
/// | 72…175 | body: checksum, age, trend index, count of history records, trend from 80 |
enum LibreProMemory {
  /// The patch info of a Pro in Europe, with an invented end.
  static let patchInfo = PatchInfo([0x70, 0x00, 0x10, 0x01, 0x00, 0x00])

  static func bytes(of sensor: SimulatedSensor, atAge age: Int) -> [UInt8] {
    let mirror = sensor.writer(atAge: age)
    let newest = age - 1
    var bytes = [UInt8](repeating: 0, count: 176)
    bytes[4] = mirror.state
    bytes.replaceSubrange(24..<38, with: Array("SIMU000-T00000".utf8))
    bytes.replaceSubrange(42..<44, with: [0x10, 0x01])
    bytes.store(20_160, at: 46, count: 2)
    bytes.store(mirror.calibrationBits, at: 56, count: 8)
    bytes.store(UInt64(age), at: 74, count: 2)
    bytes.store(UInt64(mirror.trendIndex), at: 76, count: 2)
    bytes.store(UInt64(max(newest - 2, 0) / 15), at: 78, count: 2)
    for (slot, record) in mirror.trend.enumerated() { bytes.store(record.bits, at: 80 + 6 * slot, count: 6) }
    for region in [0..<40, 40..<72, 72..<176] { bytes.seal(region) }
    return bytes
  }
}
