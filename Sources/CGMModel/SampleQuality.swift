// SPDX-License-Identifier: Apache-2.0

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
