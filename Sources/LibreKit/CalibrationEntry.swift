// SPDX-License-Identifier: Apache-2.0
public import Libre1Core

/// A calibration model by name, with the numbers a user gives it: `linear:0.1,0`.
public struct CalibrationEntry: Sendable {
  public let name: String
  /// Names of the numbers after the colon, in order.
  public let parameters: [String]
  public let summary: String
  let make: @Sendable ([Double]) -> any CalibrationModel

  init(
    _ name: String, parameters: [String] = [], _ summary: String,
    make: @escaping @Sendable ([Double]) -> any CalibrationModel
  ) {
    self.name = name
    self.parameters = parameters
    self.summary = summary
    self.make = make
  }

  init(_ name: String, _ summary: String, make: @escaping @Sendable () -> any CalibrationModel) {
    self.init(name, parameters: [], summary) { _ in make() }
  }

  /// How it is written: `linear:SLOPE,OFFSET`.
  public var usage: String { parameters.isEmpty ? name : "\(name):\(parameters.joined(separator: ","))" }

  /// What there is to choose from, as the help of an option.
  public static var help: String {
    "How counts become glucose: "
      + Registry.calibrationModels.map { "\($0.usage) (\($0.summary))" }.joined(separator: "; ") + "."
  }

  /// The model that `text` asks for; nil if there is none of that name, or its numbers are not as many or not finite.
  public static func model(_ text: String) -> (any CalibrationModel)? {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let entry = Registry.calibrationModels.first(where: { $0.name == parts[0] }) else { return nil }
    let texts = parts.count > 1 ? parts[1].split(separator: ",", omittingEmptySubsequences: false) : []
    let numbers = texts.compactMap { Double($0) }.filter(\.isFinite)
    guard numbers.count == texts.count, numbers.count == entry.parameters.count else { return nil }
    return entry.make(numbers)
  }
}
