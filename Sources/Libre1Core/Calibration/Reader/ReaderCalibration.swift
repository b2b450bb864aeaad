// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// What the official reader would show: the factory's formula with mean temperatures, local straight lines,
/// compensation of the tissue's lag and an offset by age.
///
/// An independent implementation, from facts that public programs hold. Rounded to whole mg/dL it equals every official
/// value at hand, 200 of four sensors: 190 of the history and ten current ones, three of them of a young sensor. Where the
/// offset of a young sensor ends, the offset of one over ten days, the limits on wild steps and the first records of a
/// wear are read, not verified. Not for treatment decisions.
///
/// Values are not rounded and not cut off at 39 and 500. A record that the sensor flagged, one without counts and one
/// outside 0…50 °C has no value, but takes part in those of its neighbours as the official reader has it. The newest
/// record of the history has none either, and no more has the newest before a gap: it wants a newer neighbour. A quarter
/// of an hour that the trend has passed and the history has not got yet (the sensor writes it two minutes later) is such
/// a neighbour, without counts. A minute of the trend has one if it and the fifteen before it are all there, and with them the three records of the
/// history that a scan at that minute would have shown.
public struct ReaderCalibration: SeriesModel {
  public init() {}

  public var name: String { "reader" }

  /// Up to the first minute at which official values show that the offset for a young sensor has ended.
  public var uncertainMinutes: Range<Int> { 1..<2_100 }

  public func description(for parameters: CalibrationParameters?) -> CalibrationDescription? {
    FactoryCalibration().description(for: parameters).map {
      CalibrationDescription(model: name, version: 2, parameters: $0.parameters)
    }
  }

  public func values(of series: SampleSeries, parameters: CalibrationParameters?) -> SeriesValues {
    var values = SeriesValues()
    guard let parameters, FactoryCalibration().fault(in: parameters) == nil else { return values }
    let thermistor = Thermistor(i6: parameters.i6)
    let minutes = ReaderRecord.inOrder(series.trend, thermistor: thermistor)
    let records = ReaderRecord.inOrder(series.history, thermistor: thermistor).leading(to: minutes)
    let history = ReaderHistory(records, parameters)
    history.write(into: &values.history)
    ReaderTrend(minutes, parameters).write(into: &values.trend, history: history)
    return values
  }
}

extension FactoryCalibration {
  /// mg/dL for each of `counts`, NaN where there is none.
  func concentrations(of counts: [Double], celsius: [Double], _ parameters: CalibrationParameters) -> [Double] {
    var output = [Double](repeating: .nan, count: counts.count)
    var span = output.mutableSpan
    concentrations(of: counts.span, celsius: celsius.span, parameters: parameters, into: &span)
    return output
  }
}

enum ReaderMean {
  /// NaN of nothing, and where one number is NaN.
  static func of(_ numbers: some Sequence<Double>) -> Double {
    var sum = 0.0
    var count = 0.0
    for number in numbers {
      sum += number
      count += 1
    }
    return sum / count
  }
}
