// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CGMModel
import LibreKit
import SampleStore

/// The option for the calibration, which turns counts (raw values) into glucose.
struct CalibrationOption: ParsableArguments {
  @Option(
    name: .customLong("calibration"), help: ArgumentHelp(CalibrationEntry.help(), valueName: "model"),
    completion: .calibrations)
  var model: String?

  /// Settings from the option.
  var flags: [Setting: String] { model.map { [.calibration: $0] } ?? [:] }

  /// The calibration from the option, else from the setting.
  func choice(_ session: Session) -> CalibrationChoice {
    CalibrationChoice(session.configuration[.calibration].text) ?? .factory
  }

  /// The calibration for values of a store.
  ///
  /// Prints a notice if the user's calibration is chosen but the sensor in use has none.
  /// - Throws: `store(noUserCalibration)` if the option is `user` and no sensor has such a calibration.
  func choice(_ session: Session, in store: SensorStore) throws -> CalibrationChoice {
    let choice = choice(session)
    guard case .user = choice else { return choice }
    let sensors = try store.sensors()
    let hasOne = sensors.contains { $0.wears.contains { $0.userCalibration != nil } }
    if !hasOne, model != nil { throw LibreError.store(.noUserCalibration) }
    let newest = sensors.filter { $0.latestWear?.lastReadAt != nil }.max {
      ($0.latestWear?.lastReadAt?.secondsSince1970 ?? 0) < ($1.latestWear?.lastReadAt?.secondsSince1970 ?? 0)
    }
    if let newest, newest.latestWear?.userCalibration == nil {
      session.remark(
        "the sensor in use has not been calibrated with finger-sticks: its values are the factory's",
        resolution: "libre add VALUE after a finger-stick, then libre calibrate")
    }
    return choice
  }
}
