// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// The decision whether a record of a glucose meter can be used as a finger-stick. It is made here and nowhere else.
package enum FingerStickVerdict: Hashable, Sendable {
  /// Usable: the time that the meter's display showed, to be read in the user's zone, and the concentration.
  case usable(CivilTime, GlucoseConcentration)
  case unusable(Reason)

  /// The reason why a record is not a finger-stick.
  package enum Reason: ExplainedError {
    case noValue
    case aboveRange
    case belowRange
    case controlSolution
    /// Control solution or an error; the meter does not tell them apart.
    case controlOrError
    case ketone
    /// Glucose or ketone: the context that would tell did not arrive.
    case glucoseOrKetone
    /// So low that it is more likely a test for ketone.
    case probablyKetone(MeterGlucose)
    /// A sensor's value, not one of blood.
    case notBlood
    /// Conditions under which the value must not be used.
    case fault(GlucoseStatus)
    /// The meter's clock had a fault, so that the time is uncertain.
    case uncertainTime
    case implausible(MeterGlucose)
    /// The time is more than a day after the present: the meter's clock is wrong.
    case inFuture(CivilTime)
  }
}

extension FingerStickVerdict {
  /// Concentrations that meters show, in mg/dL. Outside of them a number is a fault or another substance.
  static let plausible = 10.0...1000.0
  /// Concentration in mg/dL below which values that were glucose are rarer than ketone tests that a meter sends as glucose:
  /// 13 mg/dL stands for 1.3 mmol/L of ketone.
  private static let ketoneBelow = 20.0

  /// `now` is the user's wall time. Records up to a day later are accepted, because the meter's zone is unknown.
  package init(_ record: GlucoseRecord, now: CivilTime) {
    do throws(Reason) {
      let value = try Self.value(of: record)
      let time = record.time.wallTime
      let milligrams = value.concentration.milligramsPerDecilitre
      if !Self.plausible.contains(milligrams) { throw .implausible(value) }
      if milligrams < Self.ketoneBelow { throw .probablyKetone(value) }
      if record.status.contains(.timeFault) { throw .uncertainTime }
      if time.isInFuture(of: now) { throw .inFuture(time) }
      self = .usable(time, value.concentration)
    } catch {
      self = .unusable(error)
    }
  }

  private static func value(of record: GlucoseRecord) throws(Reason) -> MeterGlucose {
    switch record.kind {
    case .controlSolution: throw .controlSolution
    case .controlOrError: throw .controlOrError
    case .ketone: throw .ketone
    case .bloodOrKetone: throw .glucoseOrKetone
    case .interstitialFluid: throw .notBlood
    case .blood: break
    }
    let faults = record.status.intersection(.spoilsValue)
    if !faults.isEmpty { throw .fault(faults) }
    if record.status.contains(.aboveRange) || record.special == .positiveInfinity { throw .aboveRange }
    if record.status.contains(.belowRange) || record.special == .negativeInfinity { throw .belowRange }
    guard let value = record.value else { throw .noValue }
    return value
  }
}

extension FingerStickVerdict.Reason {
  package var explanation: (code: String, message: String) {
    switch self {
    case .noValue: ("no_value", "the record has no value")
    case .aboveRange: ("above_range", "the value is above the meter's range (HI)")
    case .belowRange: ("below_range", "the value is below the meter's range (LO)")
    case .controlSolution: ("control_solution", "a test with control solution")
    case .controlOrError: ("control_or_error", "a test with control solution, or an error")
    case .ketone: ("ketone", "a ketone test")
    case .glucoseOrKetone: ("glucose_or_ketone", "glucose or ketone: the meter did not send the note that tells which")
    case .probablyKetone(let value): ("probably_ketone", "\(value) is more likely a ketone test than glucose")
    case .notBlood: ("not_blood", "a value of interstitial fluid, not of blood")
    case .fault(let faults): ("fault", "the meter reports: \(faults.words.joined(separator: ", "))")
    case .uncertainTime: ("uncertain_time", "the meter reports that its time may be wrong")
    case .implausible(let value): ("implausible", "implausible value \(value)")
    case .inFuture(let time): ("in_future", "the time \(time) is in the future; check the meter's clock")
    }
  }
}

extension CivilTime {
  /// True if the time is more than a day after the present on the same kind of clock.
  func isInFuture(of now: CivilTime) -> Bool {
    instant(offsetSeconds: 0) > now.instant(offsetSeconds: 0).adding(days: 1)
  }
}
