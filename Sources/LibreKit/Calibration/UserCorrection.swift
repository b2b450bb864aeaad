// SPDX-License-Identifier: Apache-2.0
import CGMModel
import SampleStore

extension UserCalibration {
  /// The description for values with this correction.
  var description: CalibrationDescription {
    CalibrationDescription(
      model: CalibrationChoice.user.name, version: 1,
      parameters: [.init("slope", slope), .init("offset", intercept), .init("points", Double(points.count))])
  }
}

extension SensorReading {
  /// Returns the reading with the user's correction of the factory's values.
  func corrected(by user: UserCalibration) -> SensorReading {
    func corrected(_ sample: GlucoseSample) -> GlucoseSample { sample.with(sample.concentration.map(user.applied)) }
    return with(
      history: history.map(corrected), trend: trend.map(corrected),
      current: current.map { current in
        CurrentGlucose(
          minute: current.minute, concentration: user.applied(to: current.concentration),
          ratePerMinute: current.ratePerMinute.map { $0 * user.slope })
      }, calibration: user.description, problems: problems.filter { $0 != .userCalibrationMissing })
  }

  /// Returns the reading with the problem that no user calibration exists.
  var lackingUserCalibration: SensorReading {
    with(
      history: history, trend: trend, current: current, calibration: calibration,
      problems: problems + [.userCalibrationMissing])
  }
}
