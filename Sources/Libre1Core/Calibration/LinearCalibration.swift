// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// A straight line through the counts, without temperature: slope 0.1 and offset 0 are the numbers of early software
/// (read: LibreMonitor, OpenLibre, LibreAlarm). Its error is about 4.5 % a degree; for comparison only.
package struct LinearCalibration: CalibrationModel {
  /// mg/dL for each count.
  package let slope: Double
  package let offset: Double

  package init(slope: Double, offset: Double) {
    self.slope = slope
    self.offset = offset
  }

  package var name: String { "linear" }

  package func description(for parameters: CalibrationParameters?) -> CalibrationDescription? {
    CalibrationDescription(model: name, version: 1, parameters: [.init("slope", slope), .init("offset", offset)])
  }

  package func fault(in parameters: CalibrationParameters) -> CalibrationFault? { nil }

  package func concentrations(
    of counts: Span<Double>, celsius: Span<Double>, parameters: CalibrationParameters?,
    into output: inout MutableSpan<Double>
  ) {
    for index in counts.indices { output[index] = slope * counts[index] + offset }
  }
}
