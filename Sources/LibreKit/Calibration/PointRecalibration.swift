// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

extension GlucoseSample {
  /// Returns the sample with the value that a model computes from its counts, under the rules of a decoded memory.
  ///
  /// `hasThermistor` is true if the temperatures were computed with the sensor's own parameters.
  func recalibrated(
    by model: any CalibrationModel, parameters: CalibrationParameters?, hasThermistor: Bool
  ) -> GlucoseSample {
    var value = [Double.nan]
    let counts = [Double(raw.glucose)]
    let celsius = [temperatureCelsius ?? .nan]
    var output = value.mutableSpan
    model.concentrations(of: counts.span, celsius: celsius.span, parameters: parameters, into: &output)
    // A known thermistor without a temperature means an impossible temperature (LibreDocuments/Contract, "Value",
    // "Value").
    let isPossible = temperatureCelsius.map { SampleRules.possibleCelsius.contains($0) } ?? !hasThermistor
    let isValid = !raw.hasError && raw.glucose > 0 && isPossible && value[0].isFinite
    return with(isValid ? GlucoseConcentration(milligramsPerDecilitre: value[0]) : nil)
  }
}
