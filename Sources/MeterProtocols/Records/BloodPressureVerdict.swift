// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// The decision whether a measurement of a cuff can be used. It is made here and nowhere else.
package enum BloodPressureVerdict: Hashable, Sendable {
  case usable(Values)
  case unusable(Reason)

  /// The values of a usable measurement.
  package struct Values: Hashable, Sendable {
    /// mmHg
    package let systolic: Double
    /// mmHg
    package let diastolic: Double
    /// Mean arterial pressure in mmHg; nil if not measured, or impossible beside the other two.
    package let mean: Double?
    /// Pulse per minute; nil if not measured or impossible.
    package let pulse: Double?
  }

  /// The reason why a measurement is not usable.
  package enum Reason: Hashable, Sendable {
    /// A pressure is missing: the cuff could not measure it.
    case noValue
    /// Pressures that cuffs do not show, or a diastolic one that is not below the systolic one, as sent.
    case implausible(systolic: DecimalNumber, diastolic: DecimalNumber, BloodPressure.Unit)
    /// The time is more than a day after the present: the cuff's clock is wrong.
    case inFuture(CivilTime)
  }
}

extension BloodPressureVerdict {
  /// Pressures that cuffs show, in mmHg.
  package static let plausiblePressure = 20.0...320.0
  /// Pulses that cuffs count, per minute.
  package static let plausiblePulse = 20.0...300.0

  /// Judges a measurement.
  ///
  /// - Parameters:
  ///   - record: the record to be judged.
  ///   - now: the user's wall time. Times up to a day later are accepted, because the cuff's zone is unknown.
  package init(_ record: BloodPressureRecord, now: CivilTime) {
    let sent = record.measurement
    guard let systolic = sent.systolic.number, let diastolic = sent.diastolic.number else {
      self = .unusable(.noValue)
      return
    }
    let (high, low) = (sent.unit.millimetresOfMercury(systolic.value), sent.unit.millimetresOfMercury(diastolic.value))
    guard Self.plausiblePressure.contains(high), Self.plausiblePressure.contains(low), low < high else {
      self = .unusable(.implausible(systolic: systolic, diastolic: diastolic, sent.unit))
      return
    }
    if let time = record.wallTime, time.isInFuture(of: now) {
      self = .unusable(.inFuture(time))
      return
    }
    let mean = sent.mean.number.map { sent.unit.millimetresOfMercury($0.value) }
    let pulse = sent.pulse.flatMap { Self.isPossiblePulse($0) ? $0.number?.value : nil }
    self = .usable(
      Values(
        systolic: high, diastolic: low, mean: mean.flatMap { (low...high).contains($0) ? $0 : nil }, pulse: pulse))
  }

  static func isPossiblePulse(_ pulse: ShortFloat) -> Bool {
    pulse.number.map { plausiblePulse.contains($0.value) } ?? false
  }
}

extension BloodPressureVerdict.Reason {
  /// Stable name, for documents.
  package var code: String { words.code }

  /// The reason in words, for a table: lower case, without a full stop.
  package var message: String { words.message }

  private var words: (code: String, message: String) {
    switch self {
    case .noValue: ("no_value", "the cuff sent no pressure")
    case .implausible(let systolic, let diastolic, let unit):
      ("implausible", "implausible pressures \(systolic)/\(diastolic) \(unit.rawValue)")
    case .inFuture(let time): ("in_future", "the time \(time) is in the future; check the cuff's clock")
    }
  }
}
