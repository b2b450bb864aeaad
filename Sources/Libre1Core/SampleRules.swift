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

  /// True if a sample may have a value. No other code decides this.
  ///
  /// `needsTemperature` is for a temperature that is not known (NaN): with a known thermistor it is an impossible one,
  /// and a model with neighbours computes nothing without it, but a model without temperatures may give a value.
  @inlinable package static func mayHaveValue(_ raw: RawSample, celsius: Double, needsTemperature: Bool) -> Bool {
    let isPossible = celsius.isNaN ? !needsTemperature : possibleCelsius.contains(celsius)
    return !raw.hasError && raw.glucose > 0 && isPossible
  }

  /// The value that a model computed for a sample; nil if the sample may have none, or the number is not finite.
  @inlinable static func concentration(
    _ milligramsPerDecilitre: Double, of raw: RawSample, celsius: Double, needsTemperature: Bool
  ) -> GlucoseConcentration? {
    let hasValue =
      mayHaveValue(raw, celsius: celsius, needsTemperature: needsTemperature) && milligramsPerDecilitre.isFinite
    return hasValue ? GlucoseConcentration(milligramsPerDecilitre: milligramsPerDecilitre) : nil
  }

  /// `celsius` and `milligramsPerDecilitre` are NaN where they are unknown.
  @inlinable func sample(_ raw: RawSample, celsius: Double, milligramsPerDecilitre: Double) -> GlucoseSample {
    GlucoseSample(
      raw: raw, temperatureCelsius: celsius.isFinite ? celsius : nil,
      concentration: Self.concentration(
        milligramsPerDecilitre, of: raw, celsius: celsius, needsTemperature: hasThermistor),
      quality: quality(of: raw, celsius: celsius))
  }

  /// The first quality that applies.
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

  /// Sets the value that a model computed from the counts, under the rules of a decoded memory; NaN for none.
  package mutating func setValue(_ milligramsPerDecilitre: Double, needsTemperature: Bool) {
    concentration = SampleRules.concentration(
      milligramsPerDecilitre, of: raw, celsius: temperatureCelsius ?? .nan, needsTemperature: needsTemperature)
  }
}
