// SPDX-License-Identifier: Apache-2.0

/// One measurement as the sensor stored it, with its calibrated value and its quality.
public struct GlucoseSample: Hashable, Sendable {
  public let raw: RawSample
  /// The temperature at the sensor in °C; nil where the stored signal does not give one.
  public var temperatureCelsius: Double?
  /// The calibration model's result, whatever the quality; nil where it has none: flagged by the sensor, empty,
  /// uncalibrated or physically impossible. `usableConcentration` is the value that may be used as glucose.
  public var concentration: GlucoseConcentration?
  /// The first reason not to use the sample, or `ok`.
  public let quality: SampleQuality
  /// The time of the measurement; nil without a read time.
  public var time: Instant?

  @inlinable public init(
    raw: RawSample, temperatureCelsius: Double?, concentration: GlucoseConcentration?, quality: SampleQuality,
    time: Instant? = nil
  ) {
    self.raw = raw
    self.temperatureCelsius = temperatureCelsius
    self.concentration = concentration
    self.quality = quality
    self.time = time
  }

  /// The value that may be counted, sent and shown as glucose: nil unless the quality is `ok` and the number is possible,
  /// so that a mean needs no filter. No other code decides this.
  @inlinable public var usableConcentration: GlucoseConcentration? {
    guard quality == .ok, !raw.hasError, let concentration, concentration.isPossible else { return nil }
    return concentration
  }

  public var ring: SampleRing { raw.ring }
  public var minute: SensorMinute { raw.minute }
}

/// The usability of a sample: `ok`, or the first reason against it. Only `ok` samples enter statistics and are sent.
public enum SampleQuality: String, Hashable, Sendable, CaseIterable {
  case ok
  /// The sensor flagged its own measurement.
  case error
  /// The slot was never written.
  case neverWritten = "never_written"
  /// The signal is under the sensor's own threshold: it is not on the body, or near its end.
  case lowSignal = "low_signal"
  /// The temperature is outside 20…40 °C, where Abbott's own software flags a value too (Libre1Core/Calibration,
  /// "Usable records").
  case temperature
  /// The sample is from the first hour after the start.
  case warmUp = "warm_up"
}
