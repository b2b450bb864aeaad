// SPDX-License-Identifier: Apache-2.0

/// Where things are in the 176 bytes that a Libre Pro shows without commands (read: xDrip, DiaBLE; verified on five
/// memories, FORMAT 7). The decoder uses the checksums, to recognise one; the simulator fills the rest.
///
/// | bytes | region |
/// |---|---|
/// | 0…39 | header: state at 4, a serial number as text from 24 |
/// | 40…71 | footer: patch info bytes 2 and 3, maximum life, calibration |
/// | 72…175 | body: age, trend index, number of history records so far, trend |
package enum LibreProMap {
  package static let byteCount = 176
  package static let regions = [
    MemoryMap.Region(name: "header", start: 0, end: 40),
    MemoryMap.Region(name: "footer", start: 40, end: 72),
    MemoryMap.Region(name: "body", start: 72, end: 176),
  ]

  package static let state = 4
  package static let text = 24
  package static let family = 42
  package static let maxLife = 46
  package static let calibration = 56
  package static let age = 74
  package static let trendIndex = 76
  package static let historyCount = 78
  package static let trend = RingLayout(offset: 80, slots: 16, minutesPerSlot: 1)
}
