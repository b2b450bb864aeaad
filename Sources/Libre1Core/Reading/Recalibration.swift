// SPDX-License-Identifier: Apache-2.0
// Embedded Swift cannot pass a value of any type that conforms to a protocol (see `AnyCalibrationModel`).
#if !hasFeature(Embedded)
  import CGMModel

  extension GlucoseSample {
    /// `hasThermistor` is true if the temperatures were computed with the sensor's own parameters.
    package func recalibrated(
      by model: any CalibrationModel, parameters: CalibrationParameters?, hasThermistor: Bool
    ) -> GlucoseSample {
      let value = model.concentrations(of: [Double(raw.glucose)], celsius: [temperatureCelsius ?? .nan], parameters)
      var sample = self
      sample.setValue(value[0], needsTemperature: hasThermistor)
      return sample
    }
  }

  package struct SeriesRecalibration {
    let values: SeriesValues
    package let description: CalibrationDescription?

    /// `parameters` are those of the factory's calibration; without them nothing has a value.
    package init(
      _ model: any SeriesModel, series: SampleSeries, parameters: CalibrationParameters?, basis: CalibrationBasis
    ) {
      values = model.values(of: series, parameters: parameters)
      var description = model.description(for: parameters)
      description?.basis = basis
      self.description = description
    }

    /// The value and rate that the model computes for a minute of the trend, whatever the sensor says of that minute.
    package func current(at minute: SensorMinute) -> CurrentGlucose? {
      values[.trend, minute].flatMap { value in
        GlucoseConcentration(possible: value.milligramsPerDecilitre).map {
          CurrentGlucose(minute: minute, concentration: $0, ratePerMinute: value.ratePerMinute)
        }
      }
    }

    /// The current value of a trend, newest first, with the rate that the model computes.
    func current(in trend: [GlucoseSample]) -> CurrentGlucose? {
      guard let newest = trend.first else { return nil }
      var value = CurrentValue(newestMinute: newest.minute)
      for sample in trend { value.add(sample) }
      return value.glucose(computed: current)
    }

    /// Returns the sample with the model's value. The model computes with temperatures alone.
    package func applied(to sample: GlucoseSample) -> GlucoseSample {
      var sample = sample
      sample.setValue(values[sample.ring, sample.minute]?.milligramsPerDecilitre ?? .nan, needsTemperature: true)
      return sample
    }
  }

  extension SensorReading {
    /// Returns the reading with a model's values, from this scan alone or from all samples of this wear in the store.
    package func recalibrated(by model: any SeriesModel, over merged: SampleSeries? = nil) -> SensorReading {
      let alone = SampleSeries(history: history.map(\.raw), trend: trend.map(\.raw))
      let recalibration = SeriesRecalibration(
        model, series: merged ?? alone, parameters: calibration?.sensorParameters,
        basis: merged == nil ? .scan : .store)
      var reading = self
      reading.calibration = recalibration.description
      reading.history = history.map(recalibration.applied)
      reading.trend = trend.map(recalibration.applied)
      let now = current.flatMap { _ in recalibration.current(in: reading.trend) }
      reading.current = now
      let lacksValues = zip(trend, reading.trend).contains {
        $0.usableConcentration != nil && $1.concentration == nil
      }
      let isUncertain = (reading.trend + reading.history).contains {
        $0.concentration != nil && model.uncertainMinutes.contains($0.minute.value)
      }
      let known = SensorMinute(model.uncertainMinutes.upperBound)
      let ofDisturbed = now.flatMap { now in trend.first { $0.minute == now.minute && $0.raw.hasError } }
      let own: [ReadingProblem] =
        (ofDisturbed.map { [.currentFromNeighbours(minute: $0.minute)] } ?? [])
        + (lacksValues ? [.trendLacksNeighbours] : []) + (isUncertain ? [.youngSensorOffset(knownFrom: known)] : [])
      // Found anew over more samples.
      func isOfSeries(_ problem: ReadingProblem) -> Bool {
        if case .currentFromNeighbours = problem { true } else { problem == .trendLacksNeighbours }
      }
      reading.problems = problems.filter { !isOfSeries($0) && !own.contains($0) } + own
      return reading
    }
  }
#endif
