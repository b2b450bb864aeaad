// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// A model that makes a value of a sample and its neighbours: it sees all that is known of one wear, be it one scan or
/// the merged scans of a store. The more it sees, the more samples have the neighbours that they need.
public protocol SeriesModel: Sendable {
  /// As given to `--calibration`.
  var name: String { get }

  /// Which numbers it uses with a sensor's parameters; nil if it cannot work without them and they are nil.
  func description(for parameters: CalibrationParameters?) -> CalibrationDescription?

  /// At these minutes it is not known whether the model still adds what a young sensor needs.
  var uncertainMinutes: Range<Int> { get }

  /// The values of all samples that have one.
  func values(of series: SampleSeries, parameters: CalibrationParameters?) -> SeriesValues
}

/// The samples of one wear as the sensor stored them: in any order, each minute of a ring once, with gaps where nobody
/// read the sensor in time.
public struct SampleSeries: Sendable {
  public let history: [RawSample]
  public let trend: [RawSample]

  public init(history: [RawSample], trend: [RawSample]) {
    self.history = history
    self.trend = trend
  }
}

/// What a model made of a series, by minute.
public struct SeriesValues: Hashable, Sendable {
  /// A value and, for a minute of the trend, how fast it moves.
  public struct Value: Hashable, Sendable {
    /// mg/dL, not rounded and not cut off.
    public let milligramsPerDecilitre: Double
    /// mg/dL per minute; nil where the model gives none.
    public let ratePerMinute: Double?

    public init(milligramsPerDecilitre: Double, ratePerMinute: Double? = nil) {
      self.milligramsPerDecilitre = milligramsPerDecilitre
      self.ratePerMinute = ratePerMinute
    }
  }

  public var history: [SensorMinute: Value] = [:]
  public var trend: [SensorMinute: Value] = [:]

  public init() {}

  /// nil where the model has no value, for want of neighbours or of a good measurement.
  public subscript(ring: SampleRing, minute: SensorMinute) -> Value? {
    switch ring {
    case .history: history[minute]
    case .trend: trend[minute]
    }
  }
}
