// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// Turns counts and temperatures of one ring into concentrations.
///
/// A model sees a whole ring at once, newest first, so that one that needs neighbours can have them.
public protocol CalibrationModel: Sendable {
  /// As given to `--calibration`.
  var name: String { get }

  /// Which numbers it uses with a sensor's parameters; nil if it cannot work without them and they are nil.
  func description(for parameters: CalibrationParameters?) -> CalibrationDescription?

  /// Why it has no solution for these parameters; nil if it has one.
  func fault(in parameters: CalibrationParameters) -> CalibrationFault?

  /// Writes mg/dL for each of `counts`, NaN where there is none.
  ///
  /// `counts`, `celsius` and `output` have the same number of elements; `celsius` is NaN where it is not known.
  func concentrations(
    of counts: Span<Double>, celsius: Span<Double>, parameters: CalibrationParameters?,
    into output: inout MutableSpan<Double>)
}
