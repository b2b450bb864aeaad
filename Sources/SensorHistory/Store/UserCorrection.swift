// SPDX-License-Identifier: Apache-2.0

extension UserCalibration {
  var description: CalibrationDescription {
    CalibrationDescription(
      model: CalibrationChoice.user.name, version: 1,
      parameters: [.init("slope", slope), .init("offset", intercept), .init("points", Double(points.count))])
  }
}

extension GlucoseSample {
  func corrected(by user: UserCalibration) -> GlucoseSample {
    var sample = self
    sample.concentration = concentration.map(user.applied)
    return sample
  }
}

extension SensorReading {
  func corrected(by user: UserCalibration) -> SensorReading {
    var reading = self
    reading.calibration = user.description
    reading.history = history.map { $0.corrected(by: user) }
    reading.trend = trend.map { $0.corrected(by: user) }
    reading.current = current.map { current in
      CurrentGlucose(
        minute: current.minute, concentration: user.applied(to: current.concentration),
        ratePerMinute: current.ratePerMinute.map { $0 * user.slope })
    }
    reading.problems.removeAll { $0 == .userCalibrationMissing }
    return reading
  }
}
