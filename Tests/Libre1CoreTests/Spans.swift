// SPDX-License-Identifier: Apache-2.0

@testable import Libre1Core

extension Thermistor {
  /// °C of one pair; NaN where there is none.
  func celsius(of counts: Double, adjustment: Double) -> Double {
    var celsius = [0.0]
    var output = celsius.mutableSpan
    self.celsius(of: [counts].span, adjustments: [adjustment].span, into: &output)
    return celsius[0]
  }
}

extension CalibrationModel {
  /// mg/dL of one pair; NaN where there is none.
  func concentration(of counts: Double, celsius: Double, parameters: CalibrationParameters?) -> Double {
    var concentration = [0.0]
    var output = concentration.mutableSpan
    concentrations(of: [counts].span, celsius: [celsius].span, parameters: parameters, into: &output)
    return concentration[0]
  }
}
