// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// What the official reader would show: the factory's formula with mean temperatures, local straight lines,
/// compensation of the tissue's lag and an offset by age.
///
/// An independent implementation of CALIBRATION 5, from the facts written there. Validated on 33 official values of two
/// sensors, 31 of the history and current 63 of oop-always63 and current 109 of us14-1, and on nothing more: the offset
/// of sensors under two days and over ten, the limits on wild steps and the first records of a wear are read, not
/// verified. Not for treatment decisions.
///
/// Values are not rounded and not cut off at 39 and 500. A record that the sensor flagged, one without counts and one
/// outside 0…50 °C has no value, but takes part in those of its neighbours as the official reader has it. The newest
/// record of the history has none either, and no more has the newest before a gap: it wants a newer neighbour.
/// A minute of the trend has one if it and the fifteen before it are all there, and with them the three records of the
/// history that a scan at that minute would have shown.
public struct ReaderCalibration: SeriesModel {
  public init() {}

  public var name: String { "reader" }

  public func description(for parameters: CalibrationParameters?) -> CalibrationDescription? {
    FactoryCalibration().description(for: parameters).map {
      CalibrationDescription(model: name, version: 1, parameters: $0.parameters)
    }
  }

  public func fault(in parameters: CalibrationParameters) -> CalibrationFault? {
    FactoryCalibration().fault(in: parameters)
  }

  public func values(of series: SampleSeries, parameters: CalibrationParameters?) -> SeriesValues {
    var values = SeriesValues()
    guard let parameters, fault(in: parameters) == nil else { return values }
    let thermistor = Thermistor(i6: parameters.i6)
    let records = ReaderRecord.inOrder(series.history, thermistor: thermistor)
    let offset = ReaderOffset(oldestMinute: records.first?.minute)
    let history = ReaderHistory(records, parameters)
    history.write(into: &values.history, offset: offset)
    let trend = ReaderTrend(ReaderRecord.inOrder(series.trend, thermistor: thermistor), parameters)
    trend.write(into: &values.trend, history: history, offset: offset)
    return values
  }
}
