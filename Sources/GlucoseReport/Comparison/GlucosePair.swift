// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// A sensor's value and a reference value of the same time: a finger-stick, a laboratory's, or another reader's.
package struct GlucosePair: Hashable, Sendable {
  package let time: Instant
  package let reference: GlucoseConcentration
  package let sensor: GlucoseConcentration

  /// Maximum distance from zero, mg/dL. Far above any blood glucose, and small enough that sums do not overflow.
  package static let limit = 10_000.0

  /// nil unless both are numbers, the reference is above zero, and both are within 10 000 mg/dL of zero: other pairs
  /// would spoil the statistics. The sensor's value may be negative, as it is off the body.
  package init?(time: Instant, reference: GlucoseConcentration, sensor: GlucoseConcentration) {
    guard reference.milligramsPerDecilitre > 0, reference.milligramsPerDecilitre <= Self.limit,
      abs(sensor.milligramsPerDecilitre) <= Self.limit
    else { return nil }
    (self.time, self.reference, self.sensor) = (time, reference, sensor)
  }

  var difference: Double { sensor.milligramsPerDecilitre - reference.milligramsPerDecilitre }
  var mean: Double { (sensor.milligramsPerDecilitre + reference.milligramsPerDecilitre) / 2 }

  func isWithin(_ limit: Double) -> Bool {
    let reference = reference.milligramsPerDecilitre
    return reference < 100 ? abs(difference) <= limit : 100 * abs(difference) <= limit * reference
  }
}

/// Agreement of a sensor's values with a reference.
///
/// | number | definition |
/// |---|---|
/// | bias | mean of sensor − reference, mg/dL |
/// | mean absolute difference | mean of \|sensor − reference\|, mg/dL |
/// | MARD | mean of \|sensor − reference\| / reference, % |
/// | RMSE | root of the mean of the squared differences, mg/dL |
/// | SD | of the differences, with n − 1, mg/dL |
/// | limits of agreement | bias ± 1.96 SD, mg/dL (Bland and Altman 1986; remembered) |
/// | within 15/15, 20/20 | % of the pairs that differ by at most 15 (20) mg/dL where the reference is under 100 mg/dL, and by at most 15 (20) % where it is 100 or more (ISO 15197:2013 for 15/15; remembered) |
package struct AgreementMetrics: Hashable, Sendable {
  package let count: Int
  /// This and the other numbers are nil without pairs.
  package let bias: Double?
  package let meanAbsoluteDifference: Double?
  package let mard: Double?
  package let rmse: Double?
  /// Standard deviation; nil also for one pair.
  package let standardDeviation: Double?
  /// Largest difference with its sign; the first one of equal size.
  package let worst: Double?
  package let percentWithin15: Double?
  package let percentWithin20: Double?

  package init(_ pairs: [GlucosePair]) {
    count = pairs.count
    guard !pairs.isEmpty else {
      (bias, meanAbsoluteDifference, mard, rmse, standardDeviation, worst) = (nil, nil, nil, nil, nil, nil)
      (percentWithin15, percentWithin20) = (nil, nil)
      return
    }
    let count = Double(pairs.count)
    let differences = pairs.map(\.difference)
    let bias = differences.reduce(0, +) / count
    self.bias = bias
    meanAbsoluteDifference = differences.reduce(0) { $0 + abs($1) } / count
    mard = 100 * pairs.reduce(0) { $0 + abs($1.difference) / $1.reference.milligramsPerDecilitre } / count
    rmse = (differences.reduce(0) { $0 + $1 * $1 } / count).squareRoot()
    standardDeviation = differences.standardDeviation
    worst = differences.reduce(0) { abs($1) > abs($0) ? $1 : $0 }
    percentWithin15 = pairs.percent { $0.isWithin(15) }
    percentWithin20 = pairs.percent { $0.isWithin(20) }
  }

  /// Range that contains 95 of 100 differences if they are normally distributed; nil for fewer than two pairs.
  package var limitsOfAgreement: ClosedRange<Double>? {
    guard let bias, let standardDeviation else { return nil }
    return bias - 1.96 * standardDeviation...bias + 1.96 * standardDeviation
  }
}
