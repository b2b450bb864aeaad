// SPDX-License-Identifier: Apache-2.0
public import CGMModel
import Libre1Core
public import SampleStore

extension SensorStore {
  /// Hands over what a query finds, each with the value of the calibration that is wanted, and with its id: `withIDs` is
  /// false where none is shown, since each is a hash. `entry` returns false to stop.
  public func forEachEntry(
    _ query: HistoryQuery, calibration: CalibrationChoice = .factory, withIDs: Bool = true,
    _ entry: (HistoryEntry) -> Bool
  ) throws(StoreError) {
    try forEachEntry(query, calibration: calibration, withIDs: withIDs) { found throws(StoreError) in entry(found) }
  }

  /// The same for work that may fail.
  public func forEachEntry<Failure: StoreFailure>(
    _ query: HistoryQuery, calibration: CalibrationChoice = .factory, withIDs: Bool = true,
    _ entry: (HistoryEntry) throws(Failure) -> Bool
  ) throws(Failure) {
    var values = try attempt(WearValues(of: self, calibration: calibration), or: Failure.self)
    try forEachEntry(query, with: &values) { found throws(Failure) in
      if withIDs, case .sensor(let stored) = found { return try entry(.sensor(stored.identified())) }
      return try entry(found)
    }
  }

  /// The same, with values that may be asked for more, and without ids for sensors' samples.
  func forEachEntry<Failure: StoreFailure>(
    _ query: HistoryQuery, with values: inout WearValues, _ entry: (HistoryEntry) throws(Failure) -> Bool
  ) throws(Failure) {
    try forEach(query) { found throws(Failure) in
      try entry(attempt(values.completed(found), or: Failure.self))
    }
  }
}

/// The values of a calibration for what is in a store, wear by wear.
package struct WearValues {
  private struct Wear: Hashable {
    let sensor: SensorIdentity
    let number: Int
  }

  private let store: SensorStore
  private let calibration: CalibrationChoice
  private let corrections: [Wear: UserCalibration]
  private let sensors: [SensorIdentity: StoredSensor.ID]
  /// Each wear is looked at once, however many sensors were worn at the same time.
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
      for sensor in try store.sensors() {
        sensors[sensor.identity] = sensor.id
      }
    }
    (self.corrections, self.sensors) = (corrections, sensors)
  }

  /// The entry with the value of the calibration.
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

  /// How fast the model says that a sample's value moves, mg/dL a minute; nil where it does not say it.
  func ratePerMinute(of stored: StoredSample) -> Double? {
    recalibrations[Wear(sensor: stored.sensor, number: stored.wear)]?
      .values[stored.sample.ring, stored.sample.minute]?.ratePerMinute
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
  /// All samples of a wear as the sensor stored them, and the factory's numbers that they were calibrated with. Those of
  /// a body whose checksum did not hold are left out: what may be wrong is no neighbour of what is checked.
  func series(
    of sensor: StoredSensor.ID, wear: Int
  ) throws(StoreError) -> (series: SampleSeries, parameters: CalibrationParameters?) {
    var query = HistoryQuery()
    query.rings = Set(SampleRing.allCases)
    query.scope = HistoryScope(of: sensor)
    var rings: [SampleRing: [RawSample]] = [:]
    var parameters: CalibrationParameters?
    try forEach(query) { entry throws(StoreError) in
      guard case .sensor(let stored) = entry, stored.wear == wear, !stored.isSalvaged else { return true }
      rings[stored.sample.ring, default: []].append(stored.sample.raw)
      if parameters == nil { parameters = stored.calibration.flatMap(CalibrationParameters.init) }
      return true
    }
    return (SampleSeries(history: rings[.history] ?? [], trend: rings[.trend] ?? []), parameters)
  }
}

extension StoredSample {
  /// With the user's correction of the factory value.
  fileprivate func corrected(by user: UserCalibration) -> StoredSample {
    with(sample.with(sample.concentration.map(user.applied)), user.description)
  }

  /// With the value that a model makes of the counts, under the same rules as in a decoded memory.
  fileprivate func recalibrated(with model: any CalibrationModel) -> StoredSample {
    let parameters = calibration.flatMap(CalibrationParameters.init)
    // A Libre Pro has a thermistor and no parameters; of its samples only the quality tells of an impossible temperature.
    let hasThermistor = parameters != nil || sample.quality == .temperature
    return with(
      sample.recalibrated(by: model, parameters: parameters, hasThermistor: hasThermistor),
      model.description(for: parameters))
  }

  fileprivate func with(_ sample: GlucoseSample, _ calibration: CalibrationDescription?) -> StoredSample {
    StoredSample(sensor: sensor, wear: wear, sample: sample, calibration: calibration, isSalvaged: isSalvaged)
  }
}

extension HistoryEntry {
  /// With the factory's value where a model that needs neighbours has made another one: the store keeps the factory's, and
  /// makes such a model's anew.
  var withFactoryValue: HistoryEntry {
    guard case .sensor(let stored) = self, let calibration = stored.calibration, calibration.basis != nil else {
      return self
    }
    guard let parameters = CalibrationParameters(calibration) else { return self }
    // Documents round temperatures, and a hundredth of a degree is a digit of the value.
    let raw = stored.sample.raw
    let exact = GlucoseSample(
      raw: raw, temperatureCelsius: Thermistor.celsius(of: raw, i6: parameters.i6), concentration: nil,
      quality: stored.sample.quality, time: stored.sample.time, id: stored.sample.id)
    let factory = FactoryCalibration()
    return .sensor(
      stored.with(
        exact.recalibrated(by: factory, parameters: parameters, hasThermistor: true),
        factory.description(for: parameters)))
  }
}

extension CalibrationParameters {
  /// The numbers of a factory calibration as they were written down; nil if they are another model's.
  init?(_ description: CalibrationDescription) {
    func value(_ name: String) -> Int? {
      description.parameters.first { $0.name == name }.flatMap { Int(exactly: $0.value) }
    }
    guard let i1 = value("i1"), let i2 = value("i2"), let i3 = value("i3"), let i4 = value("i4"), let i5 = value("i5"),
      let i6 = value("i6")
    else { return nil }
    self.init(i1: i1, i2: i2, i3: i3, i4: i4, i5: i5, i6: i6)
  }
}
