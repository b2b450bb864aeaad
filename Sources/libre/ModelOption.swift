// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Libre1Core
import LibreKit

/// What turns a memory's counts into glucose.
struct ModelOption: ParsableArguments {
  @Option(help: ArgumentHelp(CalibrationEntry.help, valueName: "model"))
  var calibration: String?

  /// What the option says, by setting.
  var flags: [Setting: String] { calibration.map { [.calibration: $0] } ?? [:] }

  /// The model of the setting, which the option overrides.
  func model(_ session: Session) -> any CalibrationModel {
    CalibrationEntry.model(session.configuration[.calibration].text) ?? FactoryCalibration()
  }
}
