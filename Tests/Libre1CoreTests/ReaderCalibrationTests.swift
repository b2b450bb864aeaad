// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import Libre1Core

/// The model's words about itself; its values are held against the text in ReaderRobustnessTests.
struct ReaderCalibrationTests {
  @Test("missing or impossible parameters give no values")
  func faults() {
    let series = SampleSeries(history: ReaderSeries.history(from: 6_000, [650, 650, 650]), trend: [])
    let model = ReaderCalibration()
    #expect(model.values(of: series, parameters: nil).history.isEmpty)
    let impossible = CalibrationParameters(i1: 0, i2: 0, i3: 18, i4: 6_931, i5: 0, i6: 6_536)
    #expect(model.values(of: series, parameters: impossible).history.isEmpty)
  }

  @Test("the minutes with an unknown end of the offset begin with the sensor and end where official values show none")
  func uncertain() {
    let minutes = ReaderCalibration().uncertainMinutes
    #expect(minutes == 1..<2_100)
    #expect(ReaderOffset.milligrams(at: minutes.upperBound, glucose: 60) == 0)
  }
}
