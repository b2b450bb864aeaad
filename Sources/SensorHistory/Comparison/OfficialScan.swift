// SPDX-License-Identifier: Apache-2.0

/// One memory with its official values, and the values of each calibration and of known official software for them.
struct OfficialScan {
  /// An official value, and our value of each column: of the calibrations, for the history also of known software.
  struct Value {
    let kind: OfficialComparison.Kind
    let minute: Int
    let official: Double
    let own: [Double?]
  }

  /// Official software whose algorithm is known, wholly or in part, so that its values can be recognised: its name with
  /// the versions, and the history in mg/dL that it computes from a scan, by minute.
  static let software: [(name: String, history: @Sendable (SampleSeries, CalibrationParameters?) -> [Int: Double])] = [
    (
      ReaderCalibration.software,
      { series, parameters in
        byMinute(
          ReaderCalibration().values(of: series, parameters: parameters).history.mapValues(\.milligramsPerDecilitre))
      }
    ),
    (USLibre2App.software, { byMinute(USLibre2App.history(of: $0, parameters: $1)) }),
  ]

  let reading: SensorReading
  let values: [Value]
  let history: [[Int: Double]]
  let errors: [Int]

  /// `readings` are those of one memory, one per calibration and at least one.
  init(_ readings: [SensorReading], _ official: OfficialIndex.Values, _ calibrations: [Comparison.Calibration]) {
    let reading = readings[0]
    let series = SampleSeries(history: reading.history.map(\.raw), trend: reading.trend.map(\.raw))
    let parameters = reading.calibration?.sensorParameters
    let history =
      readings.map { Self.byMinute($0.history) } + Self.software.map { $0.history(series, parameters) }
    var values = official.allHistory.map { row in
      Value(kind: .history, minute: row.minute, official: row.mgdl, own: history.map { $0[row.minute] })
    }
    if let current = official.current {
      let newest = reading.trend.first?.minute.value ?? 0
      let own = readings.map { Self.byMinute($0.trend)[newest] ?? $0.currentValue(at: newest) }
      values.append(Value(kind: .current, minute: newest, official: current.mgdl, own: own))
    }
    values += (official.values ?? []).map { row in
      let own = calibrations.map { reading.value(of: row, by: $0.choice) }
      return Value(kind: .current, minute: row.minute, official: row.mgdl, own: own)
    }
    (self.reading, self.values, self.history) = (reading, values, history)
    errors = (official.historyErrors ?? []).map(\.minute)
  }

  private static func byMinute(_ values: [SensorMinute: Double]) -> [Int: Double] {
    Dictionary(uniqueKeysWithValues: values.map { ($0.key.value, $0.value) })
  }

  private static func byMinute(_ samples: [GlucoseSample]) -> [Int: Double] {
    Dictionary(
      samples.compactMap { sample in
        sample.concentration.map { (sample.minute.value, $0.milligramsPerDecilitre) }
      }, uniquingKeysWith: { first, _ in first })
  }
}

extension SensorReading {
  /// The current value at a minute that a reader's field disturbed, which has no value of its own.
  fileprivate func currentValue(at minute: Int) -> Double? {
    current.flatMap { $0.minute.value == minute ? $0.concentration.milligramsPerDecilitre : nil }
  }

  fileprivate func value(of row: OfficialIndex.Streamed, by choice: CalibrationChoice) -> Double? {
    let trend = row.trend.compactMap { fields -> RawSample? in
      guard fields.count == 4, let glucose = UInt16(exactly: fields[1]), let temperature = UInt16(exactly: fields[2]),
        let adjustment = Int16(exactly: fields[3])
      else { return nil }
      return RawSample(
        ring: .trend, minute: SensorMinute(fields[0]), glucose: glucose, temperature: temperature,
        temperatureAdjustment: adjustment, hasError: false, errorField: 0, isNeverWritten: false)
    }
    guard let parameters = calibration?.sensorParameters,
      let newest = trend.first(where: { $0.minute.value == row.minute })
    else { return nil }
    switch choice {
    case .series(let model):
      let series = SampleSeries(history: history.map(\.raw), trend: trend)
      return model.values(of: series, parameters: parameters)[.trend, newest.minute]?.milligramsPerDecilitre
    case .factory, .user, .model:
      let sample = GlucoseSample(
        raw: newest, temperatureCelsius: Thermistor.celsius(of: newest, i6: parameters.i6), concentration: nil,
        quality: .ok)
      return sample.recalibrated(by: choice.pointModel, parameters: parameters, hasThermistor: true)
        .concentration?.milligramsPerDecilitre
    }
  }
}
