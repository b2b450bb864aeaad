// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// When a sample has a concentration, and how good it is (LibreDocuments/Contract, "Value" and "Quality", "Value" and
/// "Quality").
@usableFromInline package struct SampleRules: Hashable, Sendable {
  /// Counts under which the sensor calls a signal low.
  @usableFromInline let minimumRawGlucose: Int
  /// True if the footer's thermistor reference is known, so that a missing temperature is an impossible one.
  @usableFromInline let hasThermistor: Bool

  /// Beyond it a thermistor reading is not a body's, and no formula holds.
  @inlinable package static var possibleCelsius: ClosedRange<Double> { 0.0...50.0 }
  /// Where Abbott's own software does not flag the temperature (Libre1Core/Calibration, "Usable records").
  @inlinable static var trustedCelsius: ClosedRange<Double> { 20.0...40.0 }
  /// The first hour after the start.
  @inlinable static var warmUpMinutes: Int { 60 }

  /// `celsius` and `milligramsPerDecilitre` are NaN where there is none.
  @inlinable func sample(_ raw: RawSample, celsius: Double, milligramsPerDecilitre: Double) -> GlucoseSample {
    let isPossible = celsius.isNaN ? !hasThermistor : Self.possibleCelsius.contains(celsius)
    let hasValue = !raw.hasError && raw.glucose > 0 && isPossible && milligramsPerDecilitre.isFinite
    return GlucoseSample(
      raw: raw, temperatureCelsius: celsius.isFinite ? celsius : nil,
      concentration: hasValue ? GlucoseConcentration(milligramsPerDecilitre: milligramsPerDecilitre) : nil,
      quality: quality(of: raw, celsius: celsius))
  }

  /// The first that applies.
  @inlinable func quality(of raw: RawSample, celsius: Double) -> SampleQuality {
    if raw.isNeverWritten { return .neverWritten }
    if raw.hasError { return .error }
    if Int(raw.glucose) < minimumRawGlucose { return .lowSignal }
    if hasThermistor && !Self.trustedCelsius.contains(celsius) { return .temperature }
    if raw.minute.value < Self.warmUpMinutes { return .warmUp }
    return .ok
  }
}
