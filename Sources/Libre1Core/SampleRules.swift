// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// When a sample has a concentration, and how good it is (CONTRACT 3, "Value" and "Quality").
struct SampleRules: Hashable, Sendable {
  /// Counts under which the sensor calls a signal low.
  let minimumRawGlucose: Int
  /// True if the footer's thermistor reference is known, so that a missing temperature is an impossible one.
  let hasThermistor: Bool

  /// Beyond it a thermistor reading is not a body's, and no formula holds.
  static let possibleCelsius = 0.0...50.0
  /// Where Abbott's own software does not flag the temperature (CALIBRATION 5.1).
  static let trustedCelsius = 20.0...40.0
  /// The first hour after the start.
  static let warmUpMinutes = 60

  /// `celsius` and `milligramsPerDecilitre` are NaN where there is none.
  func sample(_ raw: RawSample, celsius: Double, milligramsPerDecilitre: Double) -> GlucoseSample {
    let isPossible = celsius.isNaN ? !hasThermistor : Self.possibleCelsius.contains(celsius)
    let hasValue = !raw.hasError && raw.glucose > 0 && isPossible && milligramsPerDecilitre.isFinite
    return GlucoseSample(
      raw: raw, temperatureCelsius: celsius.isFinite ? celsius : nil,
      concentration: hasValue ? GlucoseConcentration(milligramsPerDecilitre: milligramsPerDecilitre) : nil,
      quality: quality(of: raw, celsius: celsius))
  }

  /// The first that applies.
  private func quality(of raw: RawSample, celsius: Double) -> SampleQuality {
    if raw.isNeverWritten { return .neverWritten }
    if raw.hasError { return .error }
    if Int(raw.glucose) < minimumRawGlucose { return .lowSignal }
    if hasThermistor && !Self.trustedCelsius.contains(celsius) { return .temperature }
    if raw.minute.value < Self.warmUpMinutes { return .warmUp }
    return .ok
  }
}
