// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// The records of simulated meters as packets. A record is made of its number alone, so that it is the same in every run.
struct SimulatedRecords: Sendable {
  /// Wall times of the measurements of a day.
  private let times: [(hour: Int, minute: Int)]
  /// Numbers of the newest records up to now, oldest first.
  let numbers: [UInt16]

  /// The day of record 0 on every simulated meter's clock.
  private static let firstDay = CivilTime(year: 2020, month: 1, day: 1)?.instant(offsetSeconds: 0) ?? .firstSensor

  private init(_ times: [(hour: Int, minute: Int)], count: Int, now: CivilTime) {
    self.times = times
    let seconds = now.instant(offsetSeconds: 0).secondsSince1970 - Self.firstDay.secondsSince1970
    let days = min(max(0, Int(seconds / 86_400)), Int(UInt16.max) / times.count - 2)
    let secondOfDay = seconds < 0 ? -1 : Int(seconds % 86_400)
    let made = days * times.count + times.count { $0.hour * 3_600 + $0.minute * 60 + 59 <= secondOfDay }
    numbers = (max(0, made - max(count, 0))..<made).map(UInt16.init)
  }

  /// Four strips a day.
  static func strips(_ count: Int, now: CivilTime) -> SimulatedRecords {
    SimulatedRecords([(7, 0), (12, 0), (18, 30), (22, 0)], count: count, now: now)
  }

  /// Blood pressure in the morning and in the evening.
  static func pressures(_ count: Int, now: CivilTime) -> SimulatedRecords {
    SimulatedRecords([(7, 10), (21, 40)], count: count, now: now)
  }

  func time(_ number: UInt16) -> CivilTime {
    let (day, slot) = Int(number).quotientAndRemainder(dividingBy: times.count)
    let second = Int(noise(number, 1) % 60)
    let secondOfDay = times[slot].hour * 3_600 + times[slot].minute * 60 + second
    return CivilTime(
      Instant(secondsSince1970: Self.firstDay.secondsSince1970 + Int64(day * 86_400 + secondOfDay)))
  }

  /// The same pseudo-random number for the same record and purpose, always.
  private func noise(_ number: UInt16, _ purpose: UInt64) -> UInt64 {
    var value = (UInt64(number) << 8 | purpose) &* 0x9E37_79B9_7F4A_7C15
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    return value ^ value >> 27
  }

  // MARK: Glucose

  /// Kind of a record: mostly blood, with one of each other kind among any 31 in a row.
  private enum Kind { case blood, control, ketone, withoutValue, high }

  private func kind(_ number: UInt16) -> Kind {
    switch number % 31 {
    case 5: .control
    case 11: .ketone
    case 17: .withoutValue
    case 23: .high
    default: .blood
    }
  }

  /// mg/dL of a test of blood: 70…189.
  func milligramsPerDecilitre(_ number: UInt16) -> UInt16 { 70 + UInt16(noise(number, 2) % 120) }

  /// The minutes that the user's clock is ahead of the meter's inner clock.
  private static let offsetMinutes = 60

  /// The value of `2A18`. The offset is sent in the first record of a transfer only, as the specification allows.
  func measurement(_ number: UInt16, isFirst: Bool) -> [UInt8] {
    let kind = kind(number)
    var flags: UInt8 = (isFirst ? 1 : 0) | (context(number) == nil ? 0 : 16)
    var rest = isFirst ? UInt16(Self.offsetMinutes).littleEndianBytes : []
    // kg/L with exponent -5: the mantissa is mg/dL.
    func value(_ milligrams: UInt16, _ place: UInt8) {
      flags |= 2
      rest += (milligrams | 0xB000).littleEndianBytes + [place]
    }
    switch kind {
    case .blood: value(milligramsPerDecilitre(number), 0x11)
    case .control: value(118, 0x4A)
    case .ketone: value(13, 0x11)
    case .withoutValue: break
    case .high:
      flags |= 2 | 8
      rest +=
        ShortFloat.Special.positiveInfinity.rawValue.littleEndianBytes + [0x11]
        + GlucoseStatus.aboveRange.rawValue.littleEndianBytes
    }
    let base = CivilTime(time(number).instant(offsetSeconds: 0).adding(minutes: -Self.offsetMinutes))
    return [flags] + number.littleEndianBytes + Self.bytes(base) + rest
  }

  /// The value of `2A34`; nil for a record without notes.
  func context(_ number: UInt16) -> [UInt8]? {
    switch (kind(number), number % 4) {
    case (.ketone, _): [2] + number.littleEndianBytes + [6]
    case (.blood, 1), (.blood, 2): [2] + number.littleEndianBytes + [UInt8(number % 4)]
    case (.blood, _), (.control, _), (.withoutValue, _), (.high, _): nil
    }
  }

  /// The content of a OneTouch meter's answer.
  func oneTouchRecord(_ number: UInt16) -> [UInt8] {
    let flag: UInt8 = kind(number) == .control ? 1 : 0
    return Self.oneTouchTime(time(number)) + milligramsPerDecilitre(number).littleEndianBytes + [flag, 0, 0, 0, 0]
  }

  static func oneTouchTime(_ time: CivilTime) -> [UInt8] {
    let seconds = time.instant(offsetSeconds: 0).secondsSince1970 - OneTouchRecord.epoch
    return UInt32(truncatingIfNeeded: seconds).littleEndianBytes
  }

  // MARK: Blood pressure

  /// The value of `2A35`, with all fields.
  func pressure(_ number: UInt16) -> [UInt8] {
    let systolic = 112 + UInt16(noise(number, 3) % 30)
    let diastolic = 70 + UInt16(noise(number, 4) % 20)
    let pulse = 58 + UInt16(noise(number, 5) % 25)
    let status = number % 9 == 4 ? BloodPressureStatus.irregularPulse.rawValue : 0
    let mean = diastolic + (systolic - diastolic) / 3
    return [0x1E] + [systolic, diastolic, mean].flatMap(\.littleEndianBytes) + Self.bytes(time(number))
      + pulse.littleEndianBytes + [UInt8(number % 7 == 3 ? 1 : 0)] + status.littleEndianBytes
  }

  static func bytes(_ time: CivilTime) -> [UInt8] {
    UInt16(clamping: time.year).littleEndianBytes
      + [time.month, time.day, time.hour, time.minute, time.second].map { UInt8(clamping: $0) }
  }
}
