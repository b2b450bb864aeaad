// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// Another algorithm of the manufacturer, as far as it is known: that of the US app for Libre 2, version 2.7.2 (2022).
///
/// 31 of its history values are public, of one European Libre 2 (Libre1Core/Calibration, "Another algorithm"). The
/// curve's form and the seven numbers are a **fit** to these values, and not the formula, which would agree to the last
/// digit. So it recognises this app's values, and does not serve as a calibration.
package enum USLibre2App {
  package static let software = "US Libre 2 app 2.7.2"

  /// The largest difference of the fit from a value that it was made of, mg/dL.
  package static let precision = 0.000_15

  /// The history values of a wear by minute, mg/dL; empty without parameters. Outside the minutes and values of the fit
  /// they are guesses.
  package static func history(
    of series: SampleSeries, parameters: CalibrationParameters?
  ) -> [SensorMinute: Double] {
    guard let records = ReaderRecords(of: series, parameters) else { return [:] }
    var values: [SensorMinute: Double] = [:]
    for (minute, value) in ReaderHistory(records.history, records.parameters).withFullLimits {
      if let shown = shown(value + settling(at: Double(minute))) { values[SensorMinute(minute)] = shown }
    }
    return values
  }

  /// The term for a young sensor, mg/dL.
  private static func settling(at minute: Double) -> Double {
    76.7659 * ElementaryFunctions.exp2(-minute / (730.638 * ElementaryFunctions.naturalLogOfTwo))
  }

  /// The curve: a line for high values, which rises above it for low ones. nil under 1 mg/dL.
  private static func shown(_ glucose: Double) -> Double? {
    guard glucose >= 1 else { return nil }
    let ratio = ElementaryFunctions.log(ofQuotient: glucose, by: 33.9055) / ElementaryFunctions.naturalLogOfTwo
    let power = ElementaryFunctions.exp2(4.425_52 * ratio)
    return 0.980_762 * glucose + 5.974_54 + 25.7187 / (1 + power)
  }
}
