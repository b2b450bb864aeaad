// SPDX-License-Identifier: Apache-2.0

extension FactoryCalibration {
  /// mg/dL for each of `counts`, NaN where there is none.
  func concentrations(of counts: [Double], celsius: [Double], _ parameters: CalibrationParameters) -> [Double] {
    var output = [Double](repeating: .nan, count: counts.count)
    var span = output.mutableSpan
    concentrations(of: counts.span, celsius: celsius.span, parameters: parameters, into: &span)
    return output
  }
}
