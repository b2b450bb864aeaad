// SPDX-License-Identifier: Apache-2.0

/// A user's correction of one wear's factory values: `slope × factory + intercept`. It never changes the counts.
package struct UserCalibration: Hashable, Sendable {
  /// A finger-stick, and the sensor's value at that time.
  package struct Point: Hashable, Sendable {
    package let time: Instant
    package let factory: GlucoseConcentration
    package let blood: GlucoseConcentration
    /// Name of the meter or program of the finger-stick; nil if it was typed. A stored calibration does not keep it.
    package let source: String?

    package init(time: Instant, factory: GlucoseConcentration, blood: GlucoseConcentration, source: String? = nil) {
      (self.time, self.factory, self.blood, self.source) = (time, factory, blood, source)
    }

    /// `seconds:factory:blood`, with Swift's shortest text of a number, which converts back to the same number.
    package var text: String {
      "\(time.secondsSince1970):\(factory.milligramsPerDecilitre):\(blood.milligramsPerDecilitre)"
    }

    /// Reads that text; nil for one with an impossible time or value.
    package init?(text: some StringProtocol) {
      let parts = text.split(separator: ":")
      guard parts.count == 3, let time = Int64(parts[0]).map(Instant.init(secondsSince1970:)),
        Instant.writable.contains(time), let factory = GlucoseConcentration(possible: Double(parts[1])),
        let blood = GlucoseConcentration(possible: Double(parts[2]))
      else { return nil }
      self.init(time: time, factory: factory, blood: blood)
    }
  }

  package let slope: Double
  /// Offset in mg/dL.
  package let intercept: Double
  package let points: [Point]
  package let madeAt: Instant

  package init(slope: Double, intercept: Double, points: [Point], madeAt: Instant) {
    (self.slope, self.intercept, self.points, self.madeAt) = (slope, intercept, points, madeAt)
  }

  package func applied(to factory: GlucoseConcentration) -> GlucoseConcentration {
    GlucoseConcentration(milligramsPerDecilitre: slope * factory.milligramsPerDecilitre + intercept)
  }
}
