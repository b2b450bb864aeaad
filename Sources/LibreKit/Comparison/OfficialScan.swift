// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import TextFormats

/// One memory with the values of each calibration.
struct OfficialScan {
  struct Values {
    var history: [Int: Double] = [:]
    var trend: [Int: Double] = [:]
  }

  let values: [Values]
  /// The values of the history by each known software.
  let historyBySoftware: [[Int: Double]]
  let fingerprint: SensorFingerprint?
  let family: SensorFamily
  let newestTrendMinute: Int
  private let reading: SensorReading
  private let calibrations: [(name: String, choice: CalibrationChoice)]

  init(
    _ entry: OfficialIndex.Entry, at path: String, _ calibrations: [(name: String, choice: CalibrationChoice)]
  ) throws(LibreError) {
    var options = DecodeOptions()
    options.uid = entry.uid.flatMap { try? SensorUID(printed: $0) }
    options.patchInfo = entry.patchInfo.flatMap(HexText.bytes).flatMap(PatchInfo.init)
    let file = try Files.read(path)
    var readings: [SensorReading] = []
    for calibration in calibrations {
      options.calibration = calibration.choice
      readings.append(try DumpDecoder(options: options).decode(file, path: path))
    }
    self.init(readings, calibrations)
  }

  /// Creates the scan from the readings of one memory, one per calibration and at least one.
  init(_ readings: [SensorReading], _ calibrations: [(name: String, choice: CalibrationChoice)]) {
    reading = readings[0]
    var values: [Values] = []
    for reading in readings {
      func byMinute(_ samples: [GlucoseSample]) -> [Int: Double] {
        Dictionary(
          samples.compactMap { sample in
            sample.concentration.map { (sample.minute.value, $0.milligramsPerDecilitre) }
          }, uniquingKeysWith: { first, _ in first })
      }
      var trend = byMinute(reading.trend)
      // A newest minute that a reader's field disturbed has no value of its own.
      if let current = reading.current, trend[current.minute.value] == nil {
        trend[current.minute.value] = current.concentration.milligramsPerDecilitre
      }
      values.append(Values(history: byMinute(reading.history), trend: trend))
    }
    (self.values, self.calibrations) = (values, calibrations)
    let series = SampleSeries(history: readings[0].history.map(\.raw), trend: readings[0].trend.map(\.raw))
    let parameters = readings[0].calibration.flatMap(CalibrationParameters.init)
    historyBySoftware = KnownSoftware.all.map { $0.history(series, parameters) }
    fingerprint = reading.sensor.fingerprint
    family = reading.sensor.family
    newestTrendMinute = reading.trend.first?.minute.value ?? 0
  }

  /// The decrypted memory.
  var bytes: [UInt8] { reading.memory.bytes }

  /// Computes a calibration's value for the newest of the minutes listed with an official value.
  func value(of row: OfficialIndex.Streamed, _ index: Int) -> Double? {
    let trend = row.trend.compactMap { fields -> RawSample? in
      guard fields.count == 4, let glucose = UInt16(exactly: fields[1]), let temperature = UInt16(exactly: fields[2]),
        let adjustment = Int16(exactly: fields[3])
      else { return nil }
      return RawSample(
        ring: .trend, minute: SensorMinute(fields[0]), glucose: glucose, temperature: temperature,
        temperatureAdjustment: adjustment, hasError: false, errorField: 0, isNeverWritten: false)
    }
    guard let parameters = reading.calibration.flatMap(CalibrationParameters.init),
      let newest = trend.first(where: { $0.minute.value == row.minute })
    else { return nil }
    switch calibrations[index].choice {
    case .series(let model):
      let series = SampleSeries(history: reading.history.map(\.raw), trend: trend)
      return model.values(of: series, parameters: parameters)[.trend, newest.minute]?.milligramsPerDecilitre
    case .factory, .user, .model:
      let sample = GlucoseSample(
        raw: newest, temperatureCelsius: Thermistor.celsius(of: newest, i6: parameters.i6), concentration: nil,
        quality: .ok)
      return sample.recalibrated(
        by: calibrations[index].choice.pointModel, parameters: parameters, hasThermistor: true
      ).concentration?.milligramsPerDecilitre
    }
  }
}
