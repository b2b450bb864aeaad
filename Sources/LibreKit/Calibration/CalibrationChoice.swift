// SPDX-License-Identifier: Apache-2.0

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

  /// The values of the official reader's software, as far as they are known (Libre1Core/Calibration, "Reader pipeline").
  public static let reader = CalibrationChoice.series(ReaderCalibration())

  /// Parses a value of `--calibration`: a name in the registry, with as many finite numbers as it takes; else nil.
  package init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let entry = CalibrationEntry.named(String(parts[0])) else { return nil }
    let texts = parts.count > 1 ? parts[1].split(separator: ",", omittingEmptySubsequences: false) : []
    let numbers = texts.compactMap { Double($0) }.filter(\.isFinite)
    guard numbers.count == texts.count, numbers.count == entry.parameters.count else { return nil }
    self = entry.make(numbers)
  }

  package var name: String {
    switch self {
    case .factory: FactoryCalibration().name
    case .user: "user"
    case .model(let model): model.name
    case .series(let model): model.name
    }
  }

  /// The model for a single measurement; a correction and a model with neighbours start from the factory's.
  package var pointModel: any CalibrationModel {
    switch self {
    case .factory, .user, .series: FactoryCalibration()
    case .model(let model): model
    }
  }
}

/// A calibration with a name and the numbers that a user gives: `linear:0.1,0`.
package struct CalibrationEntry: Sendable {
  package let name: String
  package let parameters: [String]
  package let summary: String
  /// A sentence that must not be missed beside the summary; nil for none.
  package let caution: String?
  let make: @Sendable ([Double]) -> CalibrationChoice

  init(
    _ name: String, parameters: [String] = [], _ summary: String, caution: String? = nil,
    make: @escaping @Sendable ([Double]) -> CalibrationChoice
  ) {
    (self.name, self.parameters, self.summary) = (name, parameters, summary)
    (self.caution, self.make) = (caution, make)
  }

  /// The form of the value: `linear:SLOPE,OFFSET`.
  package var usage: String { parameters.isEmpty ? name : "\(name):\(parameters.joined(separator: ","))" }

  package static var usages: String { Catalogue.standard.calibrations.map(\.usage).joined(separator: ", ") }

  /// Names of the calibrations that need no numbers.
  package static var ready: [String] { Catalogue.standard.calibrations.filter(\.parameters.isEmpty).map(\.name) }

  package static func named(_ name: String) -> CalibrationEntry? {
    Catalogue.standard.calibrations.first { $0.name == name }
  }

  /// The sentences to print wherever the calibration is offered or named: whose values it gives, and whose it does not.
  package var claim: [String] { caution.map { ["\(name) gives \(summary).", $0] } ?? [] }
}
