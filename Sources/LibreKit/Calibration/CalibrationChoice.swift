// SPDX-License-Identifier: Apache-2.0
public import Libre1Core

/// The method that turns counts into glucose, as chosen by `--calibration`.
public enum CalibrationChoice: Sendable {
  /// Abbott's formula. The store keeps its values, and other choices are compared with it.
  case factory
  /// The factory's value with the user's correction from the store (`libre calibrate`), if there is one.
  case user
  /// A model that computes each value from one measurement.
  case model(any CalibrationModel)
  /// A model that computes each value from a measurement and its neighbours, in the store or else in one scan.
  case series(any SeriesModel)

  /// Parses a value of `--calibration`: a name in the registry, with as many finite numbers as it takes; else nil.
  package init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let entry = CalibrationEntry.named(String(parts[0])) else { return nil }
    let texts = parts.count > 1 ? parts[1].split(separator: ",", omittingEmptySubsequences: false) : []
    let numbers = texts.compactMap { Double($0) }.filter(\.isFinite)
    guard numbers.count == texts.count, numbers.count == entry.parameters.count else { return nil }
    self = entry.make(numbers)
  }

  /// The name for `--calibration`, without numbers.
  package var name: String {
    switch self {
    case .factory: FactoryCalibration().name
    case .user: "user"
    case .model(let model): model.name
    case .series(let model): model.name
    }
  }

  /// The model for a single measurement; a correction and a model with neighbours start from the factory's.
  var pointModel: any CalibrationModel {
    switch self {
    case .factory, .user, .series: FactoryCalibration()
    case .model(let model): model
    }
  }
}
