// SPDX-License-Identifier: Apache-2.0
public import Libre1Core

/// How counts become glucose, as `--calibration` says it.
public enum CalibrationChoice: Sendable {
  /// Abbott's formula: what the store keeps, and every other choice is held against.
  case factory
  /// The factory's value with the user's correction of it, of which only the store knows (`libre calibrate`); where there
  /// is none, the factory's.
  case user
  /// Makes each value of one measurement alone.
  case model(any CalibrationModel)
  /// Makes each value of a measurement and its neighbours: of the store's where there is one, else of one scan's.
  case series(any SeriesModel)

  /// As written for `--calibration`: a name in the registry, with its numbers. nil for anything else.
  public init?(_ text: String) {
    guard let choice = CalibrationEntry.choice(text) else { return nil }
    self = choice
  }

  /// The first word of how it is written.
  public var name: String {
    switch self {
    case .factory: FactoryCalibration().name
    case .user: "user"
    case .model(let model): model.name
    case .series(let model): model.name
    }
  }

  /// What makes a value of one measurement; a correction and a model that needs neighbours begin with the factory's.
  var pointModel: any CalibrationModel {
    switch self {
    case .factory, .user, .series: FactoryCalibration()
    case .model(let model): model
    }
  }
}
