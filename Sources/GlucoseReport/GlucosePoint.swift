// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// A usable value and its time.
package struct GlucosePoint: Hashable, Sendable {
  package let time: Instant
  package let concentration: GlucoseConcentration

  package init(time: Instant, concentration: GlucoseConcentration) {
    self.time = time
    self.concentration = concentration
  }

  package init(_ stick: FingerStick) { self.init(time: stick.time, concentration: stick.concentration) }

  /// Concentration in mg/dL.
  var value: Double { concentration.milligramsPerDecilitre }
}
