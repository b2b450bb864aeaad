// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import Libre1Core

struct LinearCalibrationTests {
  private func fixture() -> MemoryBuilder {
    var fixture = MemoryBuilder()
    fixture.setTrend(minute: 1_000, MemoryBuilder.record(glucose: 1_218, temperature: 6_776, adjustment: -12))
    fixture.setHistory(minute: 990, MemoryBuilder.record(glucose: 1_319))
    return fixture.sealed()
  }

  @Test("0.13 of the counts less 20 is the value that LibreMonitor suggests")
  func suggested() throws {
    let decoded = try fixture().decoded(calibration: LinearCalibration(slope: 0.13, offset: -20))
    #expect(abs(try #require(decoded.trend[0]?.concentration?.milligramsPerDecilitre) - 138.34) < 1e-9)
    #expect(abs(try #require(decoded.history[0]?.concentration?.milligramsPerDecilitre) - 151.47) < 1e-9)
    #expect(
      decoded.calibration
        == CalibrationDescription(
          model: "linear", version: 1, parameters: [.init("slope", 0.13), .init("offset", -20)]))
  }

  @Test("header and footer are not needed: without them the temperature is unknown and the value is kept")
  func withoutHeaderAndFooter() throws {
    var fixture = fixture()
    fixture.breakChecksum(of: .header)
    fixture.breakChecksum(of: .footer)
    let decoded = try fixture.decoded(calibration: LinearCalibration(slope: 0.1, offset: 0))
    let sample = try #require(decoded.trend[0])
    #expect(sample.temperatureCelsius == nil)
    #expect(abs(try #require(sample.concentration).milligramsPerDecilitre - 121.8) < 1e-9)
    #expect(sample.quality == .ok)
  }
}
