// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// Abbott's own static transfer function (Libre1Core/Calibration, "Factory formula"). The official reader also filters
/// and compensates lag, so its values differ.
package struct FactoryCalibration: CalibrationModel {
  package init() {}

  package var name: String { CalibrationDescription.factory }

  package func description(for parameters: CalibrationParameters?) -> CalibrationDescription? {
    parameters.map { CalibrationDescription(model: name, version: 1, of: $0) }
  }

  package func fault(in parameters: CalibrationParameters) -> CalibrationFault? {
    if parameters.i2 == 0 { return .i2IsZero }
    if parameters.i3 == parameters.i4 { return .i3EqualsI4 }
    return nil
  }

  package func concentrations(
    of counts: Span<Double>, celsius: Span<Double>, parameters: CalibrationParameters?,
    into output: inout MutableSpan<Double>
  ) {
    precondition(celsius.count == counts.count && output.count == counts.count)
    guard let p = parameters, fault(in: p) == nil, let row = SensitivityTable.entry(p.i2) else {
      for index in 0..<output.count { output[index] = .nan }
      return
    }
    let i3 = Double(p.i3)
    // current × growth / sensitivity − offset / sensitivity, with the common factors computed once.
    let slope = 65 / (Double(p.i4 - p.i3) * row.sensitivity)
    let intercept = row.offset / row.sensitivity
    for index in 0..<counts.count {
      output[index] = ElementaryFunctions.exp2((32.5 - celsius[index]) * Self.log2PerDegree)
    }
    for index in 0..<counts.count { output[index] = (counts[index] - i3) * slope * output[index] - intercept }
  }

  /// log2(1.045): the current increases by 4.5 % a degree.
  private static let log2PerDegree = 0.063_502_942_306_157_95
}
