// SPDX-License-Identifier: Apache-2.0

/// A way to calibrate by name, with the numbers a user gives it: `linear:0.1,0`.
public struct CalibrationEntry: Sendable {
  public let name: String
  /// Names of the numbers after the colon, in order.
  public let parameters: [String]
  public let summary: String
  let make: @Sendable ([Double]) -> CalibrationChoice

  init(
    _ name: String, parameters: [String] = [], _ summary: String,
    make: @escaping @Sendable ([Double]) -> CalibrationChoice
  ) {
    self.name = name
    self.parameters = parameters
    self.summary = summary
    self.make = make
  }

  init(_ name: String, _ summary: String, make: @escaping @Sendable () -> CalibrationChoice) {
    self.init(name, parameters: [], summary) { _ in make() }
  }

  /// How it is written: `linear:SLOPE,OFFSET`.
  public var usage: String { parameters.isEmpty ? name : "\(name):\(parameters.joined(separator: ","))" }

  /// What there is to choose from, as messages list it.
  public static var usages: String { Registry.calibrations.map(\.usage).joined(separator: ", ") }

  /// Those that can be taken without a number from the user.
  public static var ready: [String] { Registry.calibrations.filter(\.parameters.isEmpty).map(\.name) }

  /// What there is to choose from, as the help of an option.
  public static var help: String {
    "How counts become glucose: "
      + Registry.calibrations.map { "\($0.usage) (\($0.summary))" }.joined(separator: "; ")
      + "; \(Setting.calibration.defaultValue) by default."
  }

  /// What there is to say of the model of this name; nil if there is none.
  package static func summary(of name: String) -> String? { Registry.calibrations.first { $0.name == name }?.summary }

  /// What `text` asks for; nil if there is nothing of that name, or its numbers are not as many or not finite.
  static func choice(_ text: String) -> CalibrationChoice? {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let entry = Registry.calibrations.first(where: { $0.name == parts[0] }) else { return nil }
    let texts = parts.count > 1 ? parts[1].split(separator: ",", omittingEmptySubsequences: false) : []
    let numbers = texts.compactMap { Double($0) }.filter(\.isFinite)
    guard numbers.count == texts.count, numbers.count == entry.parameters.count else { return nil }
    return entry.make(numbers)
  }
}
