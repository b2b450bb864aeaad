// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

/// The values of a model that needs neighbours, in the place of the factory's.
struct SeriesRecalibration {
  let values: SeriesValues
  let description: CalibrationDescription?

  /// `parameters` are those of the factory's calibration, nil where they are not known: then there is no value.
  init(_ model: any SeriesModel, series: SampleSeries, parameters: CalibrationParameters?, basis: CalibrationBasis) {
    values = model.values(of: series, parameters: parameters)
    description = model.description(for: parameters)?.based(on: basis)
  }

  /// The sample with the model's value, under the same rules as in a decoded memory (LibreDocuments/Contract, "Value",
  /// "Value").
  func applied(to sample: GlucoseSample) -> GlucoseSample {
    let isPossible = sample.temperatureCelsius.map { SampleRules.possibleCelsius.contains($0) } ?? false
    let isHonest = !sample.raw.hasError && sample.raw.glucose > 0 && isPossible
    let value = isHonest ? values[sample.ring, sample.minute]?.milligramsPerDecilitre : nil
    return sample.with(value.flatMap { $0.isFinite ? GlucoseConcentration(milligramsPerDecilitre: $0) : nil })
  }
}

extension SensorReading {
  /// With the values that a model makes of this scan alone, or of all that the store has of this wear.
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
    let own: [ReadingProblem] =
      (lacksValues ? [.trendLacksNeighbours] : []) + (isUncertain ? [.youngSensorOffset(knownFrom: known)] : [])
    return with(
      history: history, trend: trend,
      current: current.flatMap { _ in Self.current(in: trend, recalibration.values) },
      calibration: recalibration.description,
      problems: problems.filter { !own.contains($0) && $0 != .trendLacksNeighbours } + own)
  }

  /// The newest of the good values that is recent enough, as everywhere; how fast it moves is the model's to say.
  private static func current(in trend: [GlucoseSample], _ values: SeriesValues) -> CurrentGlucose? {
    guard let newest = trend.first else { return nil }
    var value = CurrentValue(newestMinute: newest.minute)
    for sample in trend { value.add(sample) }
    return value.glucose.map { current in
      CurrentGlucose(
        minute: current.minute, concentration: current.concentration,
        ratePerMinute: values[.trend, current.minute]?.ratePerMinute)
    }
  }
}

extension GlucoseSample {
  /// With another value.
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
