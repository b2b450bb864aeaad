// SPDX-License-Identifier: Apache-2.0

extension SensorStore {
  /// Calls `entry` for each result of a query, with the value of the chosen calibration. `entry` returns false to stop.
  package func forEachEntry(
    _ query: HistoryQuery, calibration: CalibrationChoice = .factory, _ entry: (HistoryEntry) -> Bool
  ) throws(StoreError) {
    try forEachEntry(query, calibration: calibration) { found throws(StoreError) in entry(found) }
  }

  package func forEachEntry<Failure: StoreFailure>(
    _ query: HistoryQuery, calibration: CalibrationChoice = .factory, _ entry: (HistoryEntry) throws(Failure) -> Bool
  ) throws(Failure) {
    var values = try attempt(WearValues(of: self, calibration: calibration), or: Failure.self)
    try forEachEntry(query, with: &values, entry)
  }

  func forEachEntry<Failure: StoreFailure>(
    _ query: HistoryQuery, with values: inout WearValues, _ entry: (HistoryEntry) throws(Failure) -> Bool
  ) throws(Failure) {
    try forEach(query) { found throws(Failure) in
      try entry(attempt(values.completed(found), or: Failure.self))
    }
  }
}

package struct WearValues {
  private struct Wear: Hashable {
    let sensor: SensorIdentity
    let number: Int
  }

  private let store: SensorStore
  private let calibration: CalibrationChoice
  private let corrections: [Wear: UserCalibration]
  private let sensors: [SensorIdentity: StoredSensor.ID]
  /// Each wear is computed once, even if several sensors were worn at the same time.
  private var recalibrations: [Wear: SeriesRecalibration] = [:]

  package init(of store: SensorStore, calibration: CalibrationChoice) throws(StoreError) {
    self.store = store
    self.calibration = calibration
    var corrections: [Wear: UserCalibration] = [:]
    var sensors: [SensorIdentity: StoredSensor.ID] = [:]
    switch calibration {
    case .factory, .model: break
    case .user:
      for user in try store.userCalibrations() {
        corrections[Wear(sensor: user.sensor, number: user.wear)] = user.2
      }
    case .series:
      for (id, identity) in try store.sensorIdentities() { sensors[identity] = id }
    }
    (self.corrections, self.sensors) = (corrections, sensors)
  }

  package mutating func completed(_ entry: HistoryEntry) throws(StoreError) -> HistoryEntry {
    guard case .sensor(let stored) = entry else { return entry }
    switch calibration {
    case .factory: return .sensor(stored)
    case .user: return .sensor(correction(of: stored.sensor, wear: stored.wear).map(stored.corrected) ?? stored)
    case .model(let model): return .sensor(stored.recalibrated(with: model))
    case .series(let model):
      guard let recalibration = try recalibration(by: model, of: stored.sensor, wear: stored.wear) else {
        return .sensor(stored)
      }
      return .sensor(stored.with(recalibration.applied(to: stored.sample), recalibration.description))
    }
  }

  /// The value and rate that a model with neighbours computes for a minute of a wear's trend; nil for another model.
  func current(at minute: SensorMinute, of sensor: SensorIdentity, wear: Int) -> CurrentGlucose? {
    recalibrations[Wear(sensor: sensor, number: wear)]?.current(at: minute)
  }

  func correction(of sensor: SensorIdentity, wear: Int) -> UserCalibration? {
    corrections[Wear(sensor: sensor, number: wear)]
  }

  private mutating func recalibration(
    by model: any SeriesModel, of sensor: SensorIdentity, wear number: Int
  ) throws(StoreError) -> SeriesRecalibration? {
    let wear = Wear(sensor: sensor, number: number)
    if let known = recalibrations[wear] { return known }
    guard let id = sensors[sensor] else { return nil }
    let (series, parameters) = try store.series(of: id, wear: number)
    let recalibration = SeriesRecalibration(model, series: series, parameters: parameters, basis: .store)
    recalibrations[wear] = recalibration
    return recalibration
  }
}

extension SensorStore {
  /// All raw samples of a wear, but none of a body with a wrong checksum, and the factory's parameters.
  func series(
    of sensor: StoredSensor.ID, wear: Int
  ) throws(StoreError) -> (series: SampleSeries, parameters: CalibrationParameters?) {
    let query = HistoryQuery(rings: .all, of: HistoryScope(of: sensor))
    var rings: [SampleRing: [RawSample]] = [:]
    var parameters: CalibrationParameters?
    try forEach(query) { entry throws(StoreError) in
      guard case .sensor(let stored) = entry, stored.wear == wear, !stored.isSalvaged else { return true }
      rings[stored.sample.ring, default: []].append(stored.sample.raw)
      if parameters == nil { parameters = stored.calibration?.sensorParameters }
      return true
    }
    return (SampleSeries(history: rings[.history] ?? [], trend: rings[.trend] ?? []), parameters)
  }
}

extension StoredSample {
  fileprivate func corrected(by user: UserCalibration) -> StoredSample {
    with(sample.corrected(by: user), user.description)
  }

  /// Returns the sample with the value that a model computes from its counts, under the rules of a decoded memory.
  fileprivate func recalibrated(with model: any CalibrationModel) -> StoredSample {
    let parameters = calibration?.sensorParameters
    // A Libre Pro has a thermistor but no parameters; only the quality of its samples shows an impossible temperature.
    let hasThermistor = parameters != nil || sample.quality == .temperature
    return with(
      sample.recalibrated(by: model, parameters: parameters, hasThermistor: hasThermistor),
      model.description(for: parameters))
  }

  fileprivate func with(_ sample: GlucoseSample, _ calibration: CalibrationDescription?) -> StoredSample {
    var copy = self
    (copy.sample, copy.calibration) = (sample, calibration)
    return copy
  }
}

extension HistoryEntry {
  /// The entry with the factory's value instead of one from a model with neighbours, which is computed when needed.
  var withFactoryValue: HistoryEntry {
    guard case .sensor(let stored) = self, let calibration = stored.calibration, calibration.basis != nil,
      let parameters = calibration.sensorParameters
    else { return self }
    // Computed again, because documents round temperatures, and a hundredth of a degree changes a digit of the value.
    var exact = stored.sample
    exact.temperatureCelsius = Thermistor.celsius(of: exact.raw, i6: parameters.i6)
    let factory = FactoryCalibration()
    return .sensor(
      stored.with(
        exact.recalibrated(by: factory, parameters: parameters, hasThermistor: true),
        factory.description(for: parameters)))
  }
}
