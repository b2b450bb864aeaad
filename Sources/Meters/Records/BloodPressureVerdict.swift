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
    /// Mean arterial pressure in mmHg; nil if impossible beside the other two, too.
    package let mean: Double?
    /// Pulse per minute; nil if impossible, too.
    package let pulse: Double?
  }

  /// The reason why a measurement is not usable.
  package enum Reason: ExplainedError {
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
  private static let plausiblePressure = 20.0...320.0
  /// Pulses that cuffs count, per minute.
  private static let plausiblePulse = 20.0...300.0

  /// `now` is the user's wall time. Times up to a day later are accepted, because the cuff's zone is unknown.
  package init(_ record: BloodPressureRecord, now: CivilTime) {
    do throws(Reason) { self = .usable(try Self.values(of: record, now)) } catch { self = .unusable(error) }
  }

  private static func values(of record: BloodPressureRecord, _ now: CivilTime) throws(Reason) -> Values {
    let sent = record.measurement
    guard let systolic = sent.systolic.number, let diastolic = sent.diastolic.number else { throw .noValue }
    let (high, low) = (sent.unit.millimetresOfMercury(systolic.value), sent.unit.millimetresOfMercury(diastolic.value))
    guard plausiblePressure.contains(high), plausiblePressure.contains(low), low < high else {
      throw .implausible(systolic: systolic, diastolic: diastolic, sent.unit)
    }
    if let time = record.wallTime, time.isInFuture(of: now) { throw .inFuture(time) }
    let mean = sent.mean.number.map { sent.unit.millimetresOfMercury($0.value) }
    return Values(
      systolic: high, diastolic: low, mean: mean.flatMap { (low...high).contains($0) ? $0 : nil },
      pulse: sent.pulse.flatMap { isPossiblePulse($0) ? $0.number?.value : nil })
  }

  static func isPossiblePulse(_ pulse: ShortFloat) -> Bool {
    pulse.number.map { plausiblePulse.contains($0.value) } ?? false
  }
}

extension BloodPressureVerdict.Reason {
  package var explanation: (code: String, message: String) {
    switch self {
    case .noValue: ("no_value", "the cuff sent no pressure")
    case .implausible(let systolic, let diastolic, let unit):
      ("implausible", "implausible pressures \(systolic)/\(diastolic) \(unit.rawValue)")
    case .inFuture(let time): ("in_future", "the time \(time) is in the future; check the cuff's clock")
    }
  }
}
