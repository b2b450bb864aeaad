// SPDX-License-Identifier: Apache-2.0

/// The model that turned counts into concentrations, with its parameters: the provenance of every value.
public struct CalibrationDescription: Hashable, Sendable {
  /// The model's name as given to `--calibration`.
  public let model: String
  /// The model's version, which increases when the model gives other values for the same counts.
  public let version: Int
  /// The parameters in the order in which they are shown.
  public let parameters: [Parameter]
  /// The samples that each value was computed from, where a model uses several; nil for a model that uses one only.
  public let basis: CalibrationBasis?
  /// The software whose values the model gives, with its versions; nil for a model that follows none.
  public let software: String?

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

  /// True for the manufacturer's own formula, which gives a sample its official value.
  public var isFactory: Bool { model == Self.factory }

  public init(
    model: String, version: Int, parameters: [Parameter], basis: CalibrationBasis? = nil, software: String? = nil
  ) {
    self.model = model
    self.version = version
    self.parameters = parameters
    self.basis = basis
    self.software = software
  }

  /// Returns the same model with the same parameters, computed over these samples.
  public func based(on basis: CalibrationBasis) -> CalibrationDescription {
    CalibrationDescription(
      model: model, version: version, parameters: parameters, basis: basis, software: software)
  }
}

/// The samples that a model could use to compute a value from several of them.
public enum CalibrationBasis: String, Hashable, Sendable, CaseIterable {
  /// The samples of one scan.
  case scan
  /// All samples of this wear in the store: more of them have the neighbours that the model needs.
  case store
}
