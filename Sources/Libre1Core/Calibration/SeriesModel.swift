// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// A model that computes a value from a sample and its neighbours. It gets all known samples of one wear: one scan, or
/// the merged scans of a store. The more samples it gets, the more of them have the neighbours they need.
public protocol SeriesModel: Sendable {
  /// The name as given to `--calibration`.
  var name: String { get }

  /// Returns the description of the model with a sensor's parameters; nil if it needs parameters and they are nil.
  func description(for parameters: CalibrationParameters?) -> CalibrationDescription?

  /// The minutes at which it is not known whether the model still adds an offset for a new sensor.
  var uncertainMinutes: Range<Int> { get }

  /// Returns the values of all samples that have one.
  func values(of series: SampleSeries, parameters: CalibrationParameters?) -> SeriesValues
}

/// The samples of one wear as the sensor stored them: in any order, each minute of a ring once, with gaps where the
/// sensor was not read in time.
public struct SampleSeries: Sendable {
  package let history: [RawSample]
  package let trend: [RawSample]

  package init(history: [RawSample], trend: [RawSample]) {
    self.history = history
    self.trend = trend
  }
}

/// The values that a model computed from a series, by minute.
public struct SeriesValues: Hashable, Sendable {
  /// A value in mg/dL, neither rounded nor limited, and, for a minute of the trend, its rate of change.
  package struct Value: Hashable, Sendable {
    package let milligramsPerDecilitre: Double
    /// mg/dL per minute; nil if the model has none.
    package let ratePerMinute: Double?
  }

  package var history: [SensorMinute: Value] = [:]
  package var trend: [SensorMinute: Value] = [:]

  package init() {}

  /// The value of a minute; nil if neighbours or a good measurement are missing.
  package subscript(ring: SampleRing, minute: SensorMinute) -> Value? {
    switch ring {
    case .history: history[minute]
    case .trend: trend[minute]
    }
  }
}
