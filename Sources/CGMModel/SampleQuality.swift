// SPDX-License-Identifier: Apache-2.0

/// Whether a sample can be used, and if not the first reason why. Only `ok` enters statistics and is sent anywhere.
public enum SampleQuality: String, Hashable, Sendable, CaseIterable {
  case ok
  /// The sensor flagged its own measurement.
  case error
  /// The slot was never written.
  case neverWritten = "never_written"
  /// The signal is under the sensor's own threshold: off the body, or dying.
  case lowSignal = "low_signal"
  /// Outside 20…40 °C, where Abbott's own software flags a value too (Libre1Core/Calibration, "Usable records").
  case temperature
  /// In the first hour after the start.
  case warmUp = "warm_up"
}
