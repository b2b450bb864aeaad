// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// The time of a record as the meter's display shows it: local time without a zone.
///
/// A meter sends the time of its inner clock, which is set once, and the difference to the time that the user has set
/// (Bluetooth SIG, Glucose Service 1.0, 3.1.1.3 and 3.1.1.4). The sum depends on nothing but the record and the offsets
/// before it in the transfer, so that it is the same at every read: the meter's clock of today does not enter.
package struct MeterClockTime: Hashable, Sendable {
  /// Inner clock of the meter when the record was made.
  package let base: CivilTime
  /// Minutes to be added to `base`, −32768…32767.
  package let offsetMinutes: Int
  package let offsetOrigin: OffsetOrigin

  /// The origin of the offset.
  package enum OffsetOrigin: String, Hashable, Sendable, CaseIterable {
    /// The record itself has it.
    case sent
    /// An earlier record of the transfer had it, and it did not change since.
    case carried
    /// No record of the transfer had one so far, so it is 0.
    case absent
    /// The meter's offsets are known to be wrong, so it is left out.
    case ignored
  }

  package init(base: CivilTime, offsetMinutes: Int, offsetOrigin: OffsetOrigin) {
    self.base = base
    self.offsetMinutes = offsetMinutes
    self.offsetOrigin = offsetOrigin
  }

  /// Base time plus offset: what the display showed, to be read in the user's zone.
  package var wallTime: CivilTime { CivilTime(base.instant(offsetSeconds: 0).adding(minutes: offsetMinutes)) }
}
