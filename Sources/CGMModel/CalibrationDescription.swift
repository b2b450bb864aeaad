// SPDX-License-Identifier: Apache-2.0

/// Which model turned counts into concentrations, and with which numbers: the provenance of every value.
public struct CalibrationDescription: Hashable, Sendable {
  /// The model's name as given to `--calibration`.
  public let model: String
  /// Goes up when the model gives other values for the same counts.
  public let version: Int
  /// In the order in which they are shown.
  public let parameters: [Parameter]
  /// Which samples a value was made of, where a model makes it of several; nil for a model that needs one only.
  public let basis: CalibrationBasis?

  public struct Parameter: Hashable, Sendable {
    public let name: String
    public let value: Double

    public init(_ name: String, _ value: Double) {
      self.name = name
      self.value = value
    }
  }

  /// The name of the factory's model.
  public static let factory = "factory"

  /// True for the manufacturer's own formula, whose values are what a sample is said to be.
  public var isFactory: Bool { model == Self.factory }

  public init(model: String, version: Int, parameters: [Parameter], basis: CalibrationBasis? = nil) {
    self.model = model
    self.version = version
    self.parameters = parameters
    self.basis = basis
  }

  /// The same model with the same numbers, over these samples.
  public func based(on basis: CalibrationBasis) -> CalibrationDescription {
    CalibrationDescription(model: model, version: version, parameters: parameters, basis: basis)
  }
}

/// The samples that a model had, which makes a value of several.
public enum CalibrationBasis: String, Hashable, Sendable, CaseIterable {
  /// Those of one scan.
  case scan
  /// All that the store has of the wear: more samples have the neighbours that they need.
  case store
}
