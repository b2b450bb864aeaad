// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// A sensor's value beside a reference's of the same time: a finger-stick, a laboratory's, another reader's.
public struct GlucosePair: Hashable, Sendable {
  public let time: Instant
  public let reference: GlucoseConcentration
  public let sensor: GlucoseConcentration

  /// mg/dL. Far beyond what blood can hold, and so small that no sum of pairs overflows.
  public static let limit = 10_000.0

  /// nil unless both are numbers, the reference is above zero, and neither is more than 10 000 mg/dL from zero: such a
  /// pair is no measurement, and one would spoil the figures of all others. The sensor's value may be negative, as it
  /// is off the body.
  public init?(time: Instant, reference: GlucoseConcentration, sensor: GlucoseConcentration) {
    guard reference.milligramsPerDecilitre > 0, reference.milligramsPerDecilitre <= Self.limit,
      abs(sensor.milligramsPerDecilitre) <= Self.limit
    else { return nil }
    self.time = time
    self.reference = reference
    self.sensor = sensor
  }

  /// Sensor less reference, mg/dL.
  var difference: Double { sensor.milligramsPerDecilitre - reference.milligramsPerDecilitre }

  /// Of both, mg/dL.
  var mean: Double { (sensor.milligramsPerDecilitre + reference.milligramsPerDecilitre) / 2 }
}
