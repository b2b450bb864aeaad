// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LibreKit

/// What turns a memory's counts into glucose.
struct ModelOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(CalibrationEntry.help, valueName: "model"),
    completion: .calibrations)
  var calibration: String?

  /// What the option says, by setting.
  var flags: [Setting: String] { calibration.map { [.calibration: $0] } ?? [:] }

  /// That of the setting, which the option overrides.
  func choice(_ session: Session) -> CalibrationChoice {
    CalibrationChoice(session.configuration[.calibration].text) ?? .factory
  }
}
