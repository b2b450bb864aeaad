// SPDX-License-Identifier: Apache-2.0

/// Which model turned counts into concentrations, and with which numbers: the provenance of every value.
public struct CalibrationDescription: Hashable, Sendable {
  /// The model's name as given to `--calibration`.
  public let model: String
  /// Goes up when the model gives other values for the same counts.
  public let version: Int
  /// In the order in which they are shown.
  public let parameters: [Parameter]

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

  public init(model: String, version: Int, parameters: [Parameter]) {
    self.model = model
    self.version = version
    self.parameters = parameters
  }
}
