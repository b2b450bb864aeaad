// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CGMModel
import LibreKit
import SampleStore

/// How counts become glucose.
struct CalibrationOption: ParsableArguments {
  @Option(
    name: .customLong("calibration"), help: ArgumentHelp(CalibrationEntry.help, valueName: "model"),
    completion: .calibrations)
  var model: String?

  /// Settings that the option makes.
  var flags: [Setting: String] { model.map { [.calibration: $0] } ?? [:] }

  /// The calibration of the setting, which the option overrides.
  func choice(_ session: Session) -> CalibrationChoice {
    CalibrationChoice(session.configuration[.calibration].text) ?? .factory
  }

  /// The same for values of a store.
  ///
  /// Reports where one's own calibration is wanted and the sensor in use has none, so that its values are the factory's.
  /// - Throws: `store(noUserCalibration)` where the option asks for it and no sensor has one.
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
