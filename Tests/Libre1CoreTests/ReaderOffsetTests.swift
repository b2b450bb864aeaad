// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Libre1Core

struct ReaderOffsetTests {
  private func settling(_ minute: Int) -> Double {
    80 * (pow(1.00222222, -Double(minute)) - pow(1.00416667, -Double(minute)))
  }

  @Test(
    "the offset is zero from day one to day ten, then rises in a straight line to 12 mg/dL and stays there",
    arguments: [(1_440, 0.0), (2_100, 0), (14_399, 0), (14_400, 0), (20_880, 6), (27_360, 12), (65_535, 12)])
  func settledSensor(minute: Int, expected: Double) {
    for glucose in [40.0, 200] {
      #expect(abs(ReaderOffset.milligrams(at: minute, glucose: glucose) - expected) < 1e-12)
    }
  }

  @Test(
    "the offset of a young sensor is the difference of two decays, to many digits", arguments: [1, 15, 60, 330, 1_439])
  func youngSensor(minute: Int) {
    #expect(abs(ReaderOffset.milligrams(at: minute, glucose: 120) - settling(minute)) < 1e-11)
  }

  @Test("in the first day values under 120 are also lifted")
  func lift() {
    func lift(_ minute: Int, _ glucose: Double) -> Double {
      ReaderOffset.milligrams(at: minute, glucose: glucose) - settling(minute)
    }
    #expect(abs(lift(720, 100) - 0.3 * 0.5 * 20) < 1e-11)
    #expect(abs(lift(360, 40) - 0.3 * 0.75 * 80) < 1e-11)
    #expect(abs(lift(1_439, 100) - 0.3 * 20 / 1_440) < 1e-11)
    #expect(abs(lift(720, 120)) < 1e-11)
    #expect(abs(lift(720, 300)) < 1e-11)
  }

  @Test("the minutes with an unknown end of the offset begin with the sensor and end where official values show none")
  func uncertain() {
    let minutes = ReaderCalibration().uncertainMinutes
    #expect(minutes == 1..<2_100)
    #expect(ReaderOffset.milligrams(at: minutes.upperBound, glucose: 60) == 0)
  }
}
