// SPDX-License-Identifier: Apache-2.0

/// The commands that are written to a OneTouch meter. Setting its clock cannot be expressed.
///
/// Sources: NightscoutFoundation/xDrip (`VerioHelper`), tidepool-org/uploader (`oneTouchVerioBLE`); two independent programs that
/// agree. Untested on hardware.
package enum OneTouchRequest: Hashable, Sendable {
  /// Reads the clock.
  case time
  /// Reads the number of the newest record.
  case newestNumber
  /// Reads how many records are stored.
  case recordCount
  /// Reads the record with this number.
  case record(UInt16)
  /// Confirms an answer, which the meter waits for.
  case acknowledgement

  /// The bytes that are written, at most 11.
  package var bytes: [UInt8] {
    switch self {
    case .acknowledgement: [OneTouchFrame.acknowledgement]
    case .time, .newestNumber, .recordCount, .record: OneTouchFrame.bytes(carrying: payload)
    }
  }

  private var payload: [UInt8] {
    switch self {
    case .time: [0x20, 0x02]
    case .newestNumber: [0x0A, 0x02, 0x06]
    case .recordCount: [0x27, 0x00]
    case .record(let number): [0xB3, UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
    case .acknowledgement: []
    }
  }
}
