// SPDX-License-Identifier: Apache-2.0
import CGMModel

enum AppFacts {
  /// The image with a UID of eight bytes in either order; other bytes are `invalid`. Zeros, which apps write for an
  /// unknown UID, give none. With `E0` at both ends the dump has no UID and is marked so.
  static func dump(
    of image: MemoryImage, uid bytes: [UInt8]?, label: String? = nil, line: Int? = nil,
    invalid: @autoclosure () -> DumpError
  ) throws(DumpError) -> Dump {
    var (image, defect) = (image, DumpDefect?.none)
    if let bytes, bytes.contains(where: { $0 != 0 }) || bytes.count != 8 {
      do throws(UIDError) {
        image.uid = try SensorUID(bytesInEitherOrder: bytes)
      } catch .ambiguousOrder {
        defect = .ambiguousUID
      } catch {
        throw invalid()
      }
    }
    return Dump(image: image, label: label, line: line, defect: defect)
  }

  /// The moment of milliseconds since 1970; nil if it is before the first sensor.
  static func readAt(milliseconds: Int64) -> Instant? {
    let instant = Instant(secondsSince1970: milliseconds / 1_000)
    return instant >= .firstSensor && Instant.writable.contains(instant) ? instant : nil
  }
}
