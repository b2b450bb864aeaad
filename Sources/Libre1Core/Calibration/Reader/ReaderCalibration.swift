// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// A model of the values of Abbott's own software (``software``; Libre1Core/Calibration, "Reader pipeline").
///
/// Rounded to whole mg/dL it equals all 200 public values of that software, of four sensors. Some parts are read, not
/// verified: the end of the offset for a new sensor, the offset after ten days, the limits on steps, and the first
/// records of a wear. Not for treatment decisions.
///
/// Values are neither rounded nor limited to 39…500. A record has no value if the sensor flagged it, if it has no
/// counts, or if it is outside 0…50 °C; it still affects its neighbours. The newest record of the history, and the
/// newest one before a gap, have no value, because they need a newer neighbour: also one that the trend has passed, but
/// that the sensor has not yet written.
package struct ReaderCalibration: SeriesModel {
  package init() {}

  package var name: String { "reader" }

  /// Software with these values on Libre 1, US 14-day and Libre 2; the US Libre 2 app 2.7.2 has another algorithm.
  package static let software = "LibreLink 1.3 to 2.4"

  /// The minutes up to the first at which official values show that the offset for a new sensor has ended.
  package var uncertainMinutes: Range<Int> { 1..<2_100 }

  package func description(for parameters: CalibrationParameters?) -> CalibrationDescription? {
    parameters.map { CalibrationDescription(model: name, version: 2, of: $0, software: Self.software) }
  }

  package func values(of series: SampleSeries, parameters: CalibrationParameters?) -> SeriesValues {
    var values = SeriesValues()
    guard let records = ReaderRecords(of: series, parameters) else { return values }
    let history = ReaderHistory(records.history, records.parameters)
    history.write(into: &values.history)
    ReaderTrend(records.trend, records.parameters).write(into: &values.trend, history: history)
    return values
  }
}

extension Sequence<Double> {
  /// NaN of no numbers, and if one number is NaN.
  var mean: Double {
    let (sum, count) = reduce((0.0, 0.0)) { ($0.0 + $1, $0.1 + 1) }
    return sum / count
  }
}
