// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Libre1Core

struct ReaderOffsetTests {
  @Test(
    "the offset is zero from day one to day ten, then rises in a straight line to 12 mg/dL and stays there",
    arguments: [(1_440, 0.0), (2_100, 0), (14_399, 0), (14_400, 0), (20_880, 6), (27_360, 12), (65_535, 12)])
  func settledSensor(minute: Int, expected: Double) {
    for glucose in [40.0, 200] {
      #expect(abs(ReaderOffset.milligrams(at: minute, glucose: glucose) - expected) < 1e-12)
    }
  }

  @Test("the minutes with an unknown end of the offset begin with the sensor and end where official values show none")
  func uncertain() {
    let minutes = ReaderCalibration().uncertainMinutes
    #expect(minutes == 1..<2_100)
    #expect(ReaderOffset.milligrams(at: minutes.upperBound, glucose: 60) == 0)
  }
}
