// SPDX-License-Identifier: Apache-2.0
public import CGMModel

#if hasFeature(Embedded)
  /// The model that the decoder is given. Embedded Swift cannot pass a value of any type that conforms to a protocol,
  /// so that the decoder knows the factory's model alone there.
  package typealias AnyCalibrationModel = FactoryCalibration
#else
  package typealias AnyCalibrationModel = any CalibrationModel
#endif

/// A model that turns counts and temperatures of one ring, newest first, into concentrations.
public protocol CalibrationModel: Sendable {
  /// The name as given to `--calibration`.
  var name: String { get }

  /// Returns the description of the model with a sensor's parameters; nil if it needs parameters and they are nil.
  func description(for parameters: CalibrationParameters?) -> CalibrationDescription?

  /// Returns the reason why the model has no solution for these parameters; nil if it has one.
  func fault(in parameters: CalibrationParameters) -> CalibrationFault?

  /// Writes mg/dL for each of `counts`, NaN for one without a value.
  ///
  /// `counts`, `celsius` and `output` have the same number of elements; `celsius` is NaN where unknown.
  func concentrations(
    of counts: Span<Double>, celsius: Span<Double>, parameters: CalibrationParameters?,
    into output: inout MutableSpan<Double>)
}

extension CalibrationModel {
  /// mg/dL for each of `counts`, NaN for one without a value.
  package func concentrations(
    of counts: [Double], celsius: [Double], _ parameters: CalibrationParameters?
  ) -> [Double] {
    var output = [Double](repeating: .nan, count: counts.count)
    var span = output.mutableSpan
    concentrations(of: counts.span, celsius: celsius.span, parameters: parameters, into: &span)
    return output
  }
}
