// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// A usable value and its time.
public struct GlucosePoint: Hashable, Sendable {
  public let time: Instant
  public let concentration: GlucoseConcentration

  public init(time: Instant, concentration: GlucoseConcentration) {
    self.time = time
    self.concentration = concentration
  }

  public init(_ stick: FingerStick) { self.init(time: stick.time, concentration: stick.concentration) }

  /// Concentration in mg/dL.
  var value: Double { concentration.milligramsPerDecilitre }
}
