// SPDX-License-Identifier: Apache-2.0

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

  package static var usages: String { Registry.calibrations.map(\.usage).joined(separator: ", ") }

  /// Names of the calibrations that need no numbers.
  package static var ready: [String] { Registry.calibrations.filter(\.parameters.isEmpty).map(\.name) }

  /// All forms with their summaries, and the default in words, for the help of an option.
  package static func help(default: String = Setting.calibration.defaultValue) -> String {
    "Calibration, which turns counts (the sensor's raw values) into glucose: "
      + Registry.calibrations.map { "\($0.usage) (\($0.summary))" }.joined(separator: "; ") + ". "
      + Registry.calibrations.compactMap({ $0.caution }).map { "\($0) " }.joined() + "Default: \(`default`)."
  }

  package static func named(_ name: String) -> CalibrationEntry? { Registry.calibrations.first { $0.name == name } }

  /// The sentences to print wherever the calibration is offered or named: whose values it gives, and whose it does not.
  package var claim: [String] { caution.map { ["\(name) gives \(summary).", $0] } ?? [] }
}
