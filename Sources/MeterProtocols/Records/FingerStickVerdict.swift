// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// The decision whether a record of a glucose meter can be used as a finger-stick. It is made here and nowhere else.
package enum FingerStickVerdict: Hashable, Sendable {
  /// Usable: the time that the meter's display showed, to be read in the user's zone, and the concentration.
  case usable(CivilTime, GlucoseConcentration)
  case unusable(Reason)

  /// The reason why a record is not a finger-stick.
  package enum Reason: Hashable, Sendable {
    /// The record has no number.
    case noValue
    /// The true value is above what the meter can show.
    case aboveRange
    /// The true value is below what the meter can show.
    case belowRange
    case controlSolution
    /// Control solution or an error; the meter does not tell them apart.
    case controlOrError
    /// A test for ketone.
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
    /// A concentration that meters do not show.
    case implausible(MeterGlucose)
    /// The time is more than a day after the present: the meter's clock is wrong.
    case inFuture(CivilTime)
  }
}

extension FingerStickVerdict {
  /// Concentrations that meters show, in mg/dL. Outside of them a number is a fault or another substance.
  package static let plausible = 10.0...1000.0
  /// Concentration in mg/dL below which values that were glucose are rarer than ketone tests that a meter sends as glucose: 13 mg/dL
  /// stands for 1.3 mmol/L of ketone.
  package static let ketoneBelow = 20.0

  /// Judges a record.
  ///
  /// - Parameters:
  ///   - record: the record to be judged.
  ///   - now: the user's wall time. Records up to a day later are accepted, because the meter's zone is unknown.
  package init(_ record: GlucoseRecord, now: CivilTime) {
    if let reason = Self.reason(against: record) {
      self = .unusable(reason)
      return
    }
    guard let value = record.value else {
      self = .unusable(.noValue)
      return
    }
    let time = record.time.wallTime
    let milligrams = value.concentration.milligramsPerDecilitre
    self =
      if !Self.plausible.contains(milligrams) {
        .unusable(.implausible(value))
      } else if milligrams < Self.ketoneBelow {
        .unusable(.probablyKetone(value))
      } else if record.status.contains(.timeFault) {
        .unusable(.uncertainTime)
      } else if time.isInFuture(of: now) {
        .unusable(.inFuture(time))
      } else {
        .usable(time, value.concentration)
      }
  }

  /// The reason that does not depend on the number.
  private static func reason(against record: GlucoseRecord) -> Reason? {
    switch record.kind {
    case .controlSolution: return .controlSolution
    case .controlOrError: return .controlOrError
    case .ketone: return .ketone
    case .bloodOrKetone: return .glucoseOrKetone
    case .interstitialFluid: return .notBlood
    case .blood: break
    }
    let faults = record.status.intersection(.spoilsValue)
    if !faults.isEmpty { return .fault(faults) }
    if record.status.contains(.aboveRange) || record.special == .positiveInfinity { return .aboveRange }
    if record.status.contains(.belowRange) || record.special == .negativeInfinity { return .belowRange }
    return nil
  }
}

extension FingerStickVerdict.Reason {
  /// Stable name, for documents.
  package var code: String { words.code }

  /// The reason in words, for a table: lower case, without a full stop.
  package var message: String { words.message }

  private var words: (code: String, message: String) {
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
