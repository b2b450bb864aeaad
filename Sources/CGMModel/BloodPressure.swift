// SPDX-License-Identifier: Apache-2.0

/// A measurement of blood pressure by a cuff, with the numbers in the unit that the cuff sent.
///
/// It is not glucose: an entry with it has no concentration, so that no statistics count it.
public struct BloodPressure: Hashable, Sendable {
  public enum Unit: String, Hashable, Sendable, CaseIterable {
    case millimetresOfMercury = "mmHg"
    case kilopascals = "kPa"

    /// One kilopascal in mmHg.
    private static let millimetresPerKilopascal = 7.50062

    /// Converts a pressure in this unit to mmHg.
    public func millimetresOfMercury(_ value: Double) -> Double {
      self == .kilopascals ? value * Self.millimetresPerKilopascal : value
    }
  }

  /// The identity, made of the cuff, the time, the values and the user, so that reading twice changes nothing.
  public var id: SampleID?
  public let time: Instant
  /// Systolic pressure in `unit`.
  public let systolic: Double
  /// Diastolic pressure in `unit`.
  public let diastolic: Double
  /// Mean arterial pressure in `unit`; nil if the cuff does not measure it.
  public let mean: Double?
  public let unit: Unit
  /// Beats per minute; nil if not sent.
  public let pulse: Double?
  /// Number of the user on the cuff, from 0; nil if the cuff does not distinguish users.
  public let user: Int?
  /// Conditions that the cuff reported, such as `irregular_pulse`, in the order of its status bits.
  public let conditions: [String]
  /// Name of the cuff; nil if unknown.
  public let source: String?

  public init(
    id: SampleID? = nil, time: Instant, systolic: Double, diastolic: Double, mean: Double? = nil,
    unit: Unit = .millimetresOfMercury, pulse: Double? = nil, user: Int? = nil, conditions: [String] = [],
    source: String? = nil
  ) {
    self.id = id
    self.time = time
    self.systolic = systolic
    self.diastolic = diastolic
    self.mean = mean
    self.unit = unit
    self.pulse = pulse
    self.user = user
    self.conditions = conditions
    self.source = source
  }

  /// Systolic pressure in mmHg.
  public var systolicMillimetresOfMercury: Double { unit.millimetresOfMercury(systolic) }
  /// Diastolic pressure in mmHg.
  public var diastolicMillimetresOfMercury: Double { unit.millimetresOfMercury(diastolic) }
  /// Mean arterial pressure in mmHg; nil if the cuff does not measure it.
  public var meanMillimetresOfMercury: Double? { mean.map(unit.millimetresOfMercury) }
}
