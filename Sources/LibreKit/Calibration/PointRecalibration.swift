// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

extension GlucoseSample {
  /// With the value that a model makes of the counts of this sample alone, under the same rules as in a decoded memory.
  ///
  /// `hasThermistor` is true where the sensor's own numbers gave its temperatures.
  func recalibrated(
    by model: any CalibrationModel, parameters: CalibrationParameters?, hasThermistor: Bool
  ) -> GlucoseSample {
    var value = [Double.nan]
    let counts = [Double(raw.glucose)]
    let celsius = [temperatureCelsius ?? .nan]
    var output = value.mutableSpan
    model.concentrations(of: counts.span, celsius: celsius.span, parameters: parameters, into: &output)
    // Where the thermistor is known but gives no temperature, that is an impossible one (LibreDocuments/Contract,
    // "Value", "Value").
    let isPossible = temperatureCelsius.map { SampleRules.possibleCelsius.contains($0) } ?? !hasThermistor
    let isHonest = !raw.hasError && raw.glucose > 0 && isPossible && value[0].isFinite
    return with(isHonest ? GlucoseConcentration(milligramsPerDecilitre: value[0]) : nil)
  }
}
