// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// A date and a time of day as a meter sends it (`2A08`, Date Time): possibly unknown, possibly invalid.
package struct MeterDate: Hashable, Sendable {
  /// 1582…9999; 0 if unknown
  package let year: Int
  /// 1…12; 0 if unknown
  package let month: Int
  /// 1…31; 0 if unknown
  package let day: Int
  package let hour: Int
  package let minute: Int
  package let second: Int

  static let byteCount = 7

  package init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  /// The value of `2A08`, or the beginning of that of `2A2B`; nil if there are fewer than seven bytes.
  package init?(_ bytes: [UInt8]) {
    var fields = PacketFields(bytes)
    do throws(PacketError) { self = try fields.date() } catch { return nil }
  }

  /// The date and time; nil if a part of the date is unknown, or the calendar or the clock does not have it.
  package var civil: CivilTime? {
    guard year > 0 else { return nil }
    return CivilTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
  }
}
