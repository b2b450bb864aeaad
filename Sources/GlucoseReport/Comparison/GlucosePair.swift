// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// A sensor's value and a reference value of the same time: a finger-stick, a laboratory's, or another reader's.
package struct GlucosePair: Hashable, Sendable {
  package let time: Instant
  package let reference: GlucoseConcentration
  package let sensor: GlucoseConcentration

  /// Maximum distance from zero, mg/dL. Far above any blood glucose, and small enough that sums do not overflow.
  package static let limit = 10_000.0

  /// Creates a pair; nil unless both are numbers, the reference is above zero, and both are within 10 000 mg/dL of
  /// zero: other pairs are not measurements and would spoil the statistics. The sensor's value may be negative, as it
  /// is off the body.
  package init?(time: Instant, reference: GlucoseConcentration, sensor: GlucoseConcentration) {
    guard reference.milligramsPerDecilitre > 0, reference.milligramsPerDecilitre <= Self.limit,
      abs(sensor.milligramsPerDecilitre) <= Self.limit
    else { return nil }
    self.time = time
    self.reference = reference
    self.sensor = sensor
  }

  /// Difference sensor − reference, mg/dL.
  var difference: Double { sensor.milligramsPerDecilitre - reference.milligramsPerDecilitre }

  /// Mean of both, mg/dL.
  var mean: Double { (sensor.milligramsPerDecilitre + reference.milligramsPerDecilitre) / 2 }
}
