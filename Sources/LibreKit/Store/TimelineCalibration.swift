// SPDX-License-Identifier: Apache-2.0
public import CGMModel
public import Libre1Core
public import SampleStore

/// Which values the history shows: the stored factory ones, the user's correction of them, or another model's, made of
/// the stored counts.
public enum TimelineCalibration: Sendable {
  case factory
  /// Slope and offset over the factory value, where `libre calibrate` has made them; else the factory value.
  case user
  case model(any CalibrationModel)

  /// As for `--calibration`: a model of the registry, or `user`. nil for anything else.
  public init?(_ text: String) {
    if text == "user" {
      self = .user
    } else if let model = CalibrationEntry.model(text) {
      self = model.name == "factory" ? .factory : .model(model)
    } else {
      return nil
    }
  }
}

extension SensorStore {
  /// Hands over what a query finds, each with its id and with the value of the calibration that is wanted. `entry`
  /// returns false to stop.
  ///
  /// Throws `LibreError`: `store`, or what `entry` throws.
  public func forEachEntry(
    _ query: HistoryQuery, calibration: TimelineCalibration = .factory,
    _ entry: (HistoryEntry) throws(LibreError) -> Bool
  ) throws(LibreError) {
    let corrections = try corrections(for: calibration)
    var failure: LibreError?
    try libre { store throws(StoreError) in
      try store.forEach(query) { found throws(StoreError) in
        do throws(LibreError) {
          return try entry(Self.completed(found, calibration, corrections))
        } catch {
          failure = error
          return false
        }
      }
    }
    if let failure { throw failure }
  }

  private struct WearKey: Hashable {
    let sensor: SensorIdentity
    let wear: Int
  }

  private func corrections(for calibration: TimelineCalibration) throws(LibreError) -> [WearKey: UserCalibration] {
    guard case .user = calibration else { return [:] }
    let found = try libre { store throws(StoreError) in try store.userCalibrations() }
    return found.reduce(into: [:]) { corrections, user in
      corrections[WearKey(sensor: user.sensor, wear: user.wear)] = user.2
    }
  }

  private static func completed(
    _ entry: HistoryEntry, _ calibration: TimelineCalibration, _ corrections: [WearKey: UserCalibration]
  ) -> HistoryEntry {
    guard case .sensor(let stored) = entry.identified() else { return entry }
    switch calibration {
    case .factory: return .sensor(stored)
    case .user:
      return .sensor(corrections[WearKey(sensor: stored.sensor, wear: stored.wear)].map(stored.corrected) ?? stored)
    case .model(let model): return .sensor(stored.recalibrated(with: model))
    }
  }
}

extension StoredSample {
  /// With the user's correction of the factory value.
  fileprivate func corrected(by user: UserCalibration) -> StoredSample {
    with(
      sample.concentration.map(user.applied),
      CalibrationDescription(
        model: "user", version: 1,
        parameters: [
          .init("slope", user.slope), .init("offset", user.intercept), .init("points", Double(user.points.count)),
        ]))
  }

  /// With the value that a model makes of the counts, under the same rules as in a decoded memory.
  fileprivate func recalibrated(with model: any CalibrationModel) -> StoredSample {
    let parameters = calibration.flatMap(CalibrationParameters.init)
    var value = [Double.nan]
    let counts = [Double(sample.raw.glucose)]
    let celsius = [sample.temperatureCelsius ?? .nan]
    var output = value.mutableSpan
    model.concentrations(of: counts.span, celsius: celsius.span, parameters: parameters, into: &output)
    // Where the thermistor is known but gives no temperature, that is an impossible one (CONTRACT 3, "Value").
    let isPossible = sample.temperatureCelsius.map { (0...50).contains($0) } ?? (parameters == nil)
    let isHonest = !sample.raw.hasError && sample.raw.glucose > 0 && isPossible && value[0].isFinite
    return with(
      isHonest ? GlucoseConcentration(milligramsPerDecilitre: value[0]) : nil, model.description(for: parameters))
  }

  private func with(_ value: GlucoseConcentration?, _ calibration: CalibrationDescription?) -> StoredSample {
    StoredSample(
      sensor: sensor, wear: wear,
      sample: GlucoseSample(
        raw: sample.raw, temperatureCelsius: sample.temperatureCelsius, concentration: value, quality: sample.quality,
        time: sample.time, id: sample.id), calibration: calibration, isSalvaged: isSalvaged)
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
