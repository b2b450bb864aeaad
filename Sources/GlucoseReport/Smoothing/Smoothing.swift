// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// A method to smooth a line for display. Numbers are never computed from smoothed values. Each value counts as one
/// step, whatever the time between. Windows and noise values are those of other programs (GlucoseReport/Statistics,
/// "Smoothing", read there), verified on the examples there.
package enum Smoothing: String, CaseIterable, Hashable, Sendable {
  case mean
  case savitzkyGolay = "savitzky-golay"
  case kalman

  package var summary: String {
    switch self {
    case .mean: "running mean of a value and the four before it"
    case .savitzkyGolay: "Savitzky-Golay, a parabola through five values"
    case .kalman: "Kalman filter, process noise 1, measurement noise 25"
    }
  }

  var note: String { "Line smoothed for display: \(summary)." }

  /// Returns the smoothed values at the same times, in the given order. A value that is not a number, or whose smoothed
  /// value would not be one, stays unchanged and ends a run.
  package func smoothed(_ points: [GlucosePoint]) -> [GlucosePoint] {
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

  private func smoothed(_ values: [Double]) -> [Double] {
    switch self {
    case .mean: Self.mean(values)
    case .savitzkyGolay: Self.savitzkyGolay(values)
    case .kalman: Self.kalman(values)
    }
  }

  /// Returns running means; the first four values have shorter windows.
  private static func mean(_ values: [Double]) -> [Double] {
    values.indices.map { index in
      let window = values[max(0, index - 4)...index]
      return window.reduce(0, +) / Double(window.count)
    }
  }

  /// Fits a parabola through five values by least squares and takes its middle. Near the ends the window is shorter:
  /// four values for the last but one, and three for the last, which the parabola passes through.
  private static func savitzkyGolay(_ values: [Double]) -> [Double] {
    func sum(_ weights: [Double], from start: Int, by step: Int = 1) -> Double {
      weights.enumerated().reduce(0) { $0 + $1.element * values[start + $1.offset * step] } / weights.reduce(0, +)
    }
    let last = values.count - 1
    return values.indices.map { index in
      switch (index, last - index) {
      case (2..., 2...): sum([-3, 12, 17, 12, -3], from: index - 2)
      // Derived: the same method with four of the five values.
      case (1, 2...): sum([3, 11, 9, -3], from: 0)
      case (2..., 1): sum([3, 11, 9, -3], from: last, by: -1)
      default: values[index]
      }
    }
  }

  /// Estimates one number that is expected to stay constant. The first value is the first estimate, as uncertain as a
  /// measurement: this start reproduces the example of GlucoseReport/Statistics, "Smoothing" (derived).
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

/// Neighbouring values that may be smoothed together. A chart may have a sensor's value each minute (trend) and each
/// quarter of an hour (history): a value with another one within two minutes counts as a minute value. A run has one
/// kind, and its neighbours are at most twice its step apart, so that smoothing never crosses a gap.
enum SmoothingRun {
  private static let minuteReach: Int64 = 2 * 60
  private static let quarterReach: Int64 = 30 * 60

  /// Returns the runs as positions in `points`, without values that are not numbers. A time that goes back ends a run.
  static func among(_ points: [GlucosePoint]) -> [Range<Int>] {
    func isReached(_ index: Int, _ reach: Int64) -> Bool {
      guard index > 0, index < points.count else { return false }
      let (one, other) = (points[index - 1], points[index])
      guard one.value.isFinite, other.value.isFinite else { return false }
      let (step, isTooFar) = other.time.secondsSince1970.subtractingReportingOverflow(one.time.secondsSince1970)
      return !isTooFar && (0...reach).contains(step)
    }
    func isMinute(_ index: Int) -> Bool { isReached(index, minuteReach) || isReached(index + 1, minuteReach) }

    var runs: [Range<Int>] = []
    for index in points.indices where points[index].value.isFinite {
      if let run = runs.last, run.upperBound == index, isMinute(index - 1) == isMinute(index),
        isReached(index, isMinute(index) ? minuteReach : quarterReach)
      {
        runs[runs.count - 1] = run.lowerBound..<index + 1
      } else {
        runs.append(index..<index + 1)
      }
    }
    return runs
  }
}
