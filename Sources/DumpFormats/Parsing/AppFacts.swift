// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// What apps write beside a memory, as far as it can be relied on.
enum AppFacts {
  /// The image with the UID of eight bytes in either order; zeros are none, which apps write where they know none. Where
  /// both ends are `E0`, without one and marked so.
  static func dump(
    of image: MemoryImage, uid bytes: [UInt8]?, label: String? = nil, line: Int? = nil
  ) throws(UIDError) -> Dump {
    var (image, defect) = (image, DumpDefect?.none)
    if let bytes, bytes.contains(where: { $0 != 0 }) || bytes.count != 8 {
      do {
        image.uid = try SensorUID(bytesInEitherOrder: bytes)
      } catch .ambiguousOrder {
        defect = .ambiguousUID
      }
    }
    return Dump(image: image, label: label, line: line, defect: defect)
  }

  /// The moment of milliseconds since 1970; nil for one before the first sensor.
  static func readAt(milliseconds: Int64) -> Instant? {
    let instant = Instant(secondsSince1970: milliseconds / 1_000)
    return instant >= .firstSensor && Instant.writable.contains(instant) ? instant : nil
  }
}
