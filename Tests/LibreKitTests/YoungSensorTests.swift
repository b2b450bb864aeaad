// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import Testing

@testable import LibreKit

struct YoungSensorTests {
  private func problems(age: Int, _ calibration: String) throws -> [ReadingProblem] {
    var options = DecodeOptions()
    options.calibration = try #require(CalibrationChoice(calibration))
    return try DumpDecoder(options: options).decode(SimulatedSensor(seed: 1).image(atAge: age).bytes).problems
  }

  @Test("values of a young sensor are reported as uncertain with the official model, not with the factory's")
  func told() throws {
    let problem = ReadingProblem.youngSensorOffset(knownFrom: SensorMinute(2_100))
    for age in [200, 600, 2_099] { #expect(try problems(age: age, "reader").contains(problem), "\(age)") }
    #expect(try !problems(age: 3_000, "reader").contains(problem))
    #expect(try !problems(age: 600, "factory").contains(problem))
    #expect(problem.code == "young_sensor_offset" && problem.message.contains("minute 2100"))
  }
}
