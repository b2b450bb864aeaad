// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

/// The values of a model with neighbours, which replace the factory's.
struct SeriesRecalibration {
  let values: SeriesValues
  let description: CalibrationDescription?

  /// Computes the values. `parameters` are those of the factory's calibration; if they are nil there are no values.
  init(_ model: any SeriesModel, series: SampleSeries, parameters: CalibrationParameters?, basis: CalibrationBasis) {
    values = model.values(of: series, parameters: parameters)
    description = model.description(for: parameters)?.based(on: basis)
  }

  /// The value and rate that the model computes for a minute of the trend, whatever the sensor says of that minute.
  func current(at minute: SensorMinute) -> CurrentGlucose? {
    values[.trend, minute].flatMap { value in
      GlucoseConcentration(possible: value.milligramsPerDecilitre).map {
        CurrentGlucose(minute: minute, concentration: $0, ratePerMinute: value.ratePerMinute)
      }
    }
  }

  /// Returns the sample with the model's value, under the rules of a decoded memory (LibreDocuments/Contract, "Value",
  /// "Value").
  func applied(to sample: GlucoseSample) -> GlucoseSample {
    let isPossible = sample.temperatureCelsius.map { SampleRules.possibleCelsius.contains($0) } ?? false
    let isValid = !sample.raw.hasError && sample.raw.glucose > 0 && isPossible
    let value = isValid ? values[sample.ring, sample.minute]?.milligramsPerDecilitre : nil
    return sample.with(value.flatMap { $0.isFinite ? GlucoseConcentration(milligramsPerDecilitre: $0) : nil })
  }
}

extension SensorReading {
  /// Returns the reading with a model's values, from this scan alone or from all samples of this wear in the store.
  func recalibrated(by model: any SeriesModel, over merged: SampleSeries? = nil) -> SensorReading {
    let alone = SampleSeries(history: history.map(\.raw), trend: trend.map(\.raw))
    let recalibration = SeriesRecalibration(
      model, series: merged ?? alone, parameters: calibration.flatMap(CalibrationParameters.init),
      basis: merged == nil ? .scan : .store)
    let factory = trend
    let trend = factory.map(recalibration.applied)
    let history = self.history.map(recalibration.applied)
    let lacksValues = zip(factory, trend).contains {
      $0.usableConcentration != nil && $1.concentration == nil
    }
    let isUncertain = (trend + history).contains {
      $0.concentration != nil && model.uncertainMinutes.contains($0.minute.value)
    }
    let known = SensorMinute(model.uncertainMinutes.upperBound)
    let now = current.flatMap { _ in recalibration.current(in: trend) }
    let ofDisturbed = now.flatMap { now in trend.first { $0.minute == now.minute && $0.raw.hasError } }
    let own: [ReadingProblem] =
      (ofDisturbed.map { [.currentFromNeighbours(minute: $0.minute)] } ?? [])
      + (lacksValues ? [.trendLacksNeighbours] : []) + (isUncertain ? [.youngSensorOffset(knownFrom: known)] : [])
    return with(
      history: history, trend: trend, current: now,
      calibration: recalibration.description,
      problems: problems.filter { !$0.isOfSeries && !own.contains($0) } + own)
  }

}

extension SeriesRecalibration {
  /// The current value of a trend, newest first, with the rate that the model computes.
  fileprivate func current(in trend: [GlucoseSample]) -> CurrentGlucose? {
    guard let newest = trend.first else { return nil }
    var value = CurrentValue(newestMinute: newest.minute)
    for sample in trend { value.add(sample) }
    return value.glucose(computed: current(at: newest.minute)).flatMap { current(at: $0.minute) }
  }
}

extension ReadingProblem {
  /// True for a problem that a model with neighbours finds anew over more samples.
  fileprivate var isOfSeries: Bool {
    if case .currentFromNeighbours = self { true } else { self == .trendLacksNeighbours }
  }
}

extension GlucoseSample {
  /// Returns the sample with another value.
  func with(_ concentration: GlucoseConcentration?) -> GlucoseSample {
    GlucoseSample(
      raw: raw, temperatureCelsius: temperatureCelsius, concentration: concentration, quality: quality, time: time,
      id: id)
  }
}

extension SensorReading {
  func with(
    history: [GlucoseSample], trend: [GlucoseSample], current: CurrentGlucose?, calibration: CalibrationDescription?,
    problems: [ReadingProblem]? = nil
  ) -> SensorReading {
    SensorReading(
      id: id, readAt: readAt, readAtSource: readAtSource, source: source, reader: reader, sensor: sensor,
      integrity: integrity, calibration: calibration, history: history, trend: trend, current: current,
      problems: problems ?? self.problems, isSalvaged: isSalvaged, memory: memory)
  }
}
