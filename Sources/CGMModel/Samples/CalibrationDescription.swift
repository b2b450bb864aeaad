// SPDX-License-Identifier: Apache-2.0

/// The model that turned counts into concentrations, with its parameters: the provenance of every value.
public struct CalibrationDescription: Hashable, Sendable {
  /// The model's name as given to `--calibration`.
  public let model: String
  /// The model's version, which increases when the model gives other values for the same counts.
  public let version: Int
  private let numbers: Numbers
  /// The samples that each value was computed from, where a model uses several; nil for a model that uses one only.
  public package(set) var basis: CalibrationBasis?
  /// The software whose values the model gives, with its versions; nil for a model that follows none.
  public let software: String?

  private enum Numbers: Hashable {
    /// Those of the sensor, from which values can be computed again.
    case sensor(CalibrationParameters)
    /// Those of another model, which are only shown.
    case named([Parameter])
  }

  /// A number of the model with its name.
  public struct Parameter: Hashable, Sendable {
    public let name: String
    public let value: Double

    public init(_ name: String, _ value: Double) {
      self.name = name
      self.value = value
    }

    /// `i2=803.0`, with Swift's shortest text of a number, which converts back to the same number.
    package var text: String { "\(name)=\(value)" }

    package init?(text: some StringProtocol) {
      let parts = text.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, let value = Double(parts[1]) else { return nil }
      self.init(String(parts[0]), value)
    }
  }

  public static let factory = "factory"

  /// True for the manufacturer's own formula, which gives a sample its official value.
  public var isFactory: Bool { model == Self.factory }

  /// The parameters in the order in which they are shown.
  public var parameters: [Parameter] {
    switch numbers {
    case .sensor(let parameters): parameters.named
    case .named(let parameters): parameters
    }
  }

  /// The sensor's own numbers; nil for a model that does not use them.
  package var sensorParameters: CalibrationParameters? {
    if case .sensor(let parameters) = numbers { parameters } else { nil }
  }

  package init(model: String, version: Int, of sensor: CalibrationParameters, software: String? = nil) {
    self.model = model
    self.version = version
    numbers = .sensor(sensor)
    self.software = software
  }

  /// A model with named parameters, as in a document.
  public init(
    model: String, version: Int, parameters: [Parameter], basis: CalibrationBasis? = nil, software: String? = nil
  ) {
    self.model = model
    self.version = version
    numbers = CalibrationParameters(named: parameters).map(Numbers.sensor) ?? .named(parameters)
    self.basis = basis
    self.software = software
  }
}

/// The samples that a model could use to compute a value from several of them.
public enum CalibrationBasis: String, Hashable, Sendable, CaseIterable {
  /// The samples of one scan.
  case scan
  /// All samples of this wear in the store: more of them have the neighbours that the model needs.
  case store
}
