// SPDX-License-Identifier: Apache-2.0
public import Libre1Core

/// The method that turns counts into glucose, as chosen by `--calibration`.
public enum CalibrationChoice: Sendable {
  /// Abbott's formula. The store keeps its values, and other choices are compared with it.
  case factory
  /// The factory's value with the user's correction from the store (`libre calibrate`); without one, the factory's
  /// value.
  case user
  /// A model that computes each value from one measurement.
  case model(any CalibrationModel)
  /// A model that computes each value from a measurement and its neighbours, in the store or else in one scan.
  case series(any SeriesModel)

  /// Parses a value of `--calibration`: a name in the registry, with its numbers. nil for other text.
  package init?(_ text: String) {
    guard let choice = CalibrationEntry.choice(text) else { return nil }
    self = choice
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
