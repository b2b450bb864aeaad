// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// A way to draw a line more evenly than it was measured. For the eye only: no number is taken from it.
///
/// Only neighbours are smoothed together (`SmoothingRun`), and each value counts as one step, whatever the minutes
/// between. The windows and noises are those of peers (GlucoseReport/Statistics, "Smoothing", read there), verified on
/// its examples.
public enum Smoothing: String, CaseIterable, Hashable, Sendable {
  case mean
  case savitzkyGolay = "savitzky-golay"
  case kalman

  /// What it does, for help and below a picture.
  public var summary: String {
    switch self {
    case .mean: "running mean of a value and the four before it"
    case .savitzkyGolay: "Savitzky-Golay, a parabola through five values"
    case .kalman: "Kalman filter, process noise 1, measurement noise 25"
    }
  }

  /// A picture's line about it.
  var note: String { "Line smoothed for display: \(summary)." }

  /// The same times and as many values, in the order of time as they came.
  ///
  /// What is no number stays as it is and ends a run, and so does a value whose smoothed one would not be a number.
  public func smoothed(_ points: [GlucosePoint]) -> [GlucosePoint] {
    var result = points
    for run in SmoothingRun.among(points) {
      let values = smoothed(points[run].map(\.value))
      for (index, value) in zip(run, values) where value.isFinite {
        result[index] = GlucosePoint(
          time: points[index].time, concentration: GlucoseConcentration(milligramsPerDecilitre: value))
      }
    }
    return result
  }

  /// Of neighbours.
  private func smoothed(_ values: [Double]) -> [Double] {
    switch self {
    case .mean: Self.mean(values)
    case .savitzkyGolay: Self.savitzkyGolay(values)
    case .kalman: Self.kalman(values)
    }
  }

  /// The first four have fewer values before them, and are the mean of those.
  private static func mean(_ values: [Double]) -> [Double] {
    values.indices.map { index in
      let window = values[max(0, index - 4)...index]
      return window.reduce(0, +) / Double(window.count)
    }
  }

  /// Least squares for a parabola through five values, taken in its middle. At the ends the window is what there is of
  /// it: four values for the last but one, and three, through which the parabola goes exactly, for the last, which
  /// stays as it is.
  private static func savitzkyGolay(_ values: [Double]) -> [Double] {
    func sum(_ weights: [Double], from start: Int, by step: Int = 1) -> Double {
      weights.enumerated().reduce(0) { $0 + $1.element * values[start + $1.offset * step] } / weights.reduce(0, +)
    }
    let last = values.count - 1
    return values.indices.map { index in
      switch (index, last - index) {
      case (2..., 2...): sum([-3, 12, 17, 12, -3], from: index - 2)
      // Derived: the five values' way with four of them.
      case (1, 2...): sum([3, 11, 9, -3], from: 0)
      case (2..., 1): sum([3, 11, 9, -3], from: last, by: -1)
      default: values[index]
      }
    }
  }

  /// One number that is expected to stay as it is. The first value is the first estimate, as uncertain as a
  /// measurement: of the ways to begin, the one that gives the example of GlucoseReport/Statistics, "Smoothing"
  /// (derived).
  private static func kalman(_ values: [Double]) -> [Double] {
    let (processNoise, measurementNoise) = (1.0, 25.0)
    var uncertainty = measurementNoise
    var result = Array(values.prefix(1))
    for value in values.dropFirst() {
      let expected = uncertainty + processNoise
      let gain = expected / (expected + measurementNoise)
      let estimate = result[result.count - 1]
      result.append(estimate + gain * (value - estimate))
      uncertainty = (1 - gain) * expected
    }
    return result
  }
}
