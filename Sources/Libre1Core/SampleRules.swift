// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// The rules for a sample's concentration and quality (LibreDocuments/Contract, "Value" and "Quality").
@usableFromInline package struct SampleRules: Hashable, Sendable {
  /// The counts under which the sensor reports a low signal.
  @usableFromInline let minimumRawGlucose: Int
  /// True if the footer's thermistor reference is known, so that a missing temperature means an impossible one.
  @usableFromInline let hasThermistor: Bool

  /// The range of temperatures in which the formulas are valid, and outside of which a sensor cannot be on a body.
  @inlinable package static var possibleCelsius: ClosedRange<Double> { 0.0...50.0 }
  /// The range in which Abbott's own software does not flag the temperature (Libre1Core/Calibration, "Usable records").
  @inlinable static var trustedCelsius: ClosedRange<Double> { 20.0...40.0 }
  /// The threshold of counts on every Libre 1 seen.
  static let usualMinimumRawGlucose = 150
  /// The length of the warm-up after the start.
  @inlinable static var warmUpMinutes: Int { 60 }

  /// Returns a sample. `celsius` and `milligramsPerDecilitre` are NaN where they are unknown.
  @inlinable func sample(_ raw: RawSample, celsius: Double, milligramsPerDecilitre: Double) -> GlucoseSample {
    let isPossible = celsius.isNaN ? !hasThermistor : Self.possibleCelsius.contains(celsius)
    let hasValue = !raw.hasError && raw.glucose > 0 && isPossible && milligramsPerDecilitre.isFinite
    return GlucoseSample(
      raw: raw, temperatureCelsius: celsius.isFinite ? celsius : nil,
      concentration: hasValue ? GlucoseConcentration(milligramsPerDecilitre: milligramsPerDecilitre) : nil,
      quality: quality(of: raw, celsius: celsius))
  }

  /// Returns the first quality that applies.
  @inlinable func quality(of raw: RawSample, celsius: Double) -> SampleQuality {
    if raw.isNeverWritten { return .neverWritten }
    if raw.hasError { return .error }
    if Int(raw.glucose) < minimumRawGlucose { return .lowSignal }
    if hasThermistor && !Self.trustedCelsius.contains(celsius) { return .temperature }
    if raw.minute.value < Self.warmUpMinutes { return .warmUp }
    return .ok
  }
}

extension GlucoseSample {
  /// A sample of a sensor whose footer is not known: without temperature and value.
  package init(uncalibrated raw: RawSample) {
    self = SampleRules(minimumRawGlucose: SampleRules.usualMinimumRawGlucose, hasThermistor: false)
      .sample(raw, celsius: .nan, milligramsPerDecilitre: .nan)
  }
}
