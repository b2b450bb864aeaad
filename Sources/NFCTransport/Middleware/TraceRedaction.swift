// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// Removes identifiers from a recording, so that only the memory can identify the sensor.
struct TraceRedaction {
  /// Sensors so far: two sensors in one recording must stay distinguishable.
  private var sensors: [SensorUID] = []

  /// Returns the answer with zeros in place of this sensor's identifiers; its length stays.
  ///
  /// Zeroes the five low bytes of a UID: `E0`, manufacturer and product only name the kind of sensor. The lowest byte
  /// then numbers the recording's sensors from 0 (`SensorUID.isWithheld`). Zeroes the long patch info of the Libre 3
  /// family from byte 15 on, which holds the printed serial number (read: DiaBLE). An answer too corrupt to locate its
  /// UID keeps only its flags.
  mutating func answer(_ frame: [UInt8], to request: ISO15693.Request) -> [UInt8] {
    switch request {
    case .readBlock, .readBlocks, .readWideBlock, .readWideBlocks: return frame
    case .patchInfo: return Self.zeroed(frame, from: Self.flags + Self.serialInPatchInfo)
    case .inventory, .systemInformation:
      switch try? ISO15693.Response(frame, to: request) {
      case .inventory(let uid): return withheld(uid, in: frame)
      case .systemInformation(let information): return withheld(information.uid, in: frame)
      case .error: return frame
      case .blocks, .patchInfo, nil: return Self.zeroed(frame, from: Self.flags)
      }
    }
  }

  /// Replaces likely serial numbers with `x`: runs of six or more hex digits, at least one of them decimal.
  static func text(_ text: String) -> String {
    var bytes = Array(text.utf8)
    var start = 0
    while start < bytes.count {
      let run = bytes[start...].prefix { HexText.nibble($0) != nil }
      if run.count >= 6, run.contains(where: { $0 <= UInt8(ascii: "9") }) {
        bytes.replaceSubrange(run.indices, with: repeatElement(UInt8(ascii: "x"), count: run.count))
      }
      start = run.endIndex + 1
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let flags = 1
  /// Position after the flags and one more byte: the data format, or the list of parts.
  private static let uid = 2
  /// Number of low UID bytes to remove; the lowest comes first.
  private static let serialInUID = 5
  private static let serialInPatchInfo = 15

  private mutating func withheld(_ sensor: SensorUID, in frame: [UInt8]) -> [UInt8] {
    if !sensors.contains(sensor) { sensors.append(sensor) }
    var frame = Self.zeroed(frame, from: Self.uid, to: Self.uid + Self.serialInUID)
    frame[Self.uid] = UInt8(clamping: sensors.firstIndex(of: sensor) ?? 0)
    return frame
  }

  private static func zeroed(_ frame: [UInt8], from start: Int, to end: Int = .max) -> [UInt8] {
    frame.enumerated().map { start <= $0 && $0 < end ? 0 : $1 }
  }
}
