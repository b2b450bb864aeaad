// SPDX-License-Identifier: Apache-2.0

/// A calibration with a name and the numbers that a user gives: `linear:0.1,0`.
package struct CalibrationEntry: Sendable {
  package let name: String
  /// Names of the numbers after the colon, in order.
  package let parameters: [String]
  package let summary: String
  /// A sentence that must not be missed beside the summary; nil for none.
  package let caution: String?
  let make: @Sendable ([Double]) -> CalibrationChoice

  init(
    _ name: String, parameters: [String] = [], _ summary: String, caution: String? = nil,
    make: @escaping @Sendable ([Double]) -> CalibrationChoice
  ) {
    self.name = name
    self.parameters = parameters
    self.summary = summary
    self.caution = caution
    self.make = make
  }

  init(
    _ name: String, _ summary: String, caution: String? = nil, make: @escaping @Sendable () -> CalibrationChoice
  ) {
    self.init(name, parameters: [], summary, caution: caution) { _ in make() }
  }

  /// The form of the value: `linear:SLOPE,OFFSET`.
  package var usage: String { parameters.isEmpty ? name : "\(name):\(parameters.joined(separator: ","))" }

  /// All forms, for messages.
  package static var usages: String { Registry.calibrations.map(\.usage).joined(separator: ", ") }

  /// Names of the calibrations that need no numbers.
  package static var ready: [String] { Registry.calibrations.filter(\.parameters.isEmpty).map(\.name) }

  /// All forms with their summaries, and the default in words, for the help of an option.
  package static func help(default: String = Setting.calibration.defaultValue) -> String {
    "Calibration, which turns counts (the sensor's raw values) into glucose: "
      + Registry.calibrations.map { "\($0.usage) (\($0.summary))" }.joined(separator: "; ") + ". "
      + Registry.calibrations.compactMap({ $0.caution }).map { "\($0) " }.joined() + "Default: \(`default`)."
  }

  /// The entry with this name; nil if unknown.
  package static func named(_ name: String) -> CalibrationEntry? { Registry.calibrations.first { $0.name == name } }

  /// The sentences to print wherever the calibration is offered or named: whose values it gives, and whose it does not.
  /// Empty without a caution.
  package var claim: [String] { caution.map { ["\(name) gives \(summary).", $0] } ?? [] }

  /// Parses a choice; nil for an unknown name, and for numbers that are not finite or of the wrong count.
  static func choice(_ text: String) -> CalibrationChoice? {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let entry = named(String(parts[0])) else { return nil }
    let texts = parts.count > 1 ? parts[1].split(separator: ",", omittingEmptySubsequences: false) : []
    let numbers = texts.compactMap { Double($0) }.filter(\.isFinite)
    guard numbers.count == texts.count, numbers.count == entry.parameters.count else { return nil }
    return entry.make(numbers)
  }
}
