// SPDX-License-Identifier: Apache-2.0

/// The newest value that may be shown as current, with its rate of change.
public struct CurrentGlucose: Hashable, Sendable {
  public let minute: SensorMinute
  public let concentration: GlucoseConcentration
  /// The rate of change in mg/dL per minute; nil if fewer than five usable minutes are known.
  public let ratePerMinute: Double?

  public init(minute: SensorMinute, concentration: GlucoseConcentration, ratePerMinute: Double?) {
    self.minute = minute
    self.concentration = concentration
    self.ratePerMinute = ratePerMinute
  }

  public var direction: TrendDirection { TrendDirection(ratePerMinute: ratePerMinute) }
}

/// The direction in which glucose moves, in Nightscout's words.
public enum TrendDirection: String, Hashable, Sendable, CaseIterable {
  case doubleUp = "DoubleUp"
  case singleUp = "SingleUp"
  case fortyFiveUp = "FortyFiveUp"
  case flat = "Flat"
  case fortyFiveDown = "FortyFiveDown"
  case singleDown = "SingleDown"
  case doubleDown = "DoubleDown"
  case notComputable = "NOT COMPUTABLE"

  /// The direction for a rate, with steps at 1, 2 and 3 mg/dL per minute of its absolute value; nil gives
  /// `notComputable`.
  public init(ratePerMinute rate: Double?) {
    guard let rate else {
      self = .notComputable
      return
    }
    self =
      switch rate.magnitude {
      case ..<1: .flat
      case ..<2: rate > 0 ? .fortyFiveUp : .fortyFiveDown
      case ..<3: rate > 0 ? .singleUp : .singleDown
      default: rate > 0 ? .doubleUp : .doubleDown
      }
  }

  /// The direction as one character for a terminal.
  public var arrow: String {
    switch self {
    case .doubleUp: "⇈"
    case .singleUp: "↑"
    case .fortyFiveUp: "↗"
    case .flat: "→"
    case .fortyFiveDown: "↘"
    case .singleDown: "↓"
    case .doubleDown: "⇊"
    case .notComputable: "–"
    }
  }
}

package enum ValueAge {
  /// The age from which a value is nowhere shown as the present one (libre's own choice): a sensor measures each minute
  /// and keeps a value every quarter of an hour.
  package static let staleMinutes = 20
}
