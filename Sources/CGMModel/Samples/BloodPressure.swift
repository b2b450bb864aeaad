// SPDX-License-Identifier: Apache-2.0

/// A measurement of blood pressure by a cuff, with the numbers in the unit that the cuff sent.
///
/// It is not glucose: an entry with it has no concentration, so that no statistics count it.
public struct BloodPressure: Hashable, Sendable {
  package enum Unit: String, Hashable, Sendable, CaseIterable {
    case millimetresOfMercury = "mmHg"
    case kilopascals = "kPa"

    private static let millimetresPerKilopascal = 7.50062

    package func millimetresOfMercury(_ value: Double) -> Double {
      self == .kilopascals ? value * Self.millimetresPerKilopascal : value
    }
  }

  /// The identity, made of the cuff, the time, the values and the user, so that reading twice changes nothing.
  package var id: SampleID?
  package let time: Instant
  package let systolic: Double
  package let diastolic: Double
  /// Mean arterial pressure; nil if the cuff does not measure it.
  package let mean: Double?
  package let unit: Unit
  /// Beats per minute; nil if not sent.
  package let pulse: Double?
  /// Number of the user on the cuff, from 0; nil if the cuff does not distinguish users.
  package let user: Int?
  /// Conditions that the cuff reported, such as `irregular_pulse`, in the order of its status bits.
  package let conditions: [String]
  /// Name of the cuff; nil if unknown.
  package let source: String?

  package init(
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

  package var systolicMillimetresOfMercury: Double { unit.millimetresOfMercury(systolic) }
  package var diastolicMillimetresOfMercury: Double { unit.millimetresOfMercury(diastolic) }
  package var meanMillimetresOfMercury: Double? { mean.map(unit.millimetresOfMercury) }
}
