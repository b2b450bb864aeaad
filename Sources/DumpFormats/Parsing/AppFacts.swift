// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// What apps write beside a memory, as far as it can be relied on.
enum AppFacts {
  /// The UID of eight bytes in either order; nil where both ends are `E0`, so that it has to be given.
  static func uid(_ bytes: [UInt8]) throws(UIDError) -> SensorUID? {
    do {
      return try SensorUID(bytesInEitherOrder: bytes)
    } catch .ambiguousOrder {
      return nil
    }
  }

  /// The moment of milliseconds since 1970; nil for one before 2014, when the first of these sensors was sold: it is a
  /// number of something else, or a clock that was not set.
  static func readAt(milliseconds: Int64) -> Instant? {
    let instant = Instant(secondsSince1970: milliseconds / 1_000)
    return instant >= firstSensor && Instant.writable.contains(instant) ? instant : nil
  }

  /// 2014-01-01T00:00:00Z
  private static let firstSensor = Instant(secondsSince1970: 1_388_534_400)
}
