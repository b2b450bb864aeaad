// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import Libre1Core

struct ReaderHistoryTests {
  @Test("a quarter of an hour that has passed but is not yet written gives the newest record a value")
  func lagging() throws {
    let history = ReaderSeries.history(from: 6_000, [1_000, 1_010, 1_030, 1_060])
    func newest(_ lastMinute: Int, _ history: [RawSample]) -> Double? {
      ReaderSeries.values(history: history, trend: ReaderSeries.trend(upTo: lastMinute, [1_060])).history(6_045)
    }
    // Minute 6060 has passed, and its record is written two minutes later.
    #expect(newest(6_059, history) == nil)
    let value = try #require(newest(6_060, history))
    // The record has no counts: any later neighbour changes the value.
    let later = history + [ReaderSeries.sample(.history, 6_060, 1_000)]
    #expect(abs(try #require(newest(6_060, later)) - value) > 0.1)
    // A later scan that has a gap before it changes nothing.
    let far = ReaderSeries.history(from: 7_000, [1_000, 1_000])
    #expect(newest(6_060, history + far) == value)
    // A record missing inside a history does not show that a scan lagged.
    #expect(newest(6_060, history + ReaderSeries.history(from: 6_075, [1_000])) == nil)
  }

  @Test("missing or impossible parameters give no values")
  func faults() {
    let series = SampleSeries(history: ReaderSeries.history(from: 6_000, [650, 650, 650]), trend: [])
    let model = ReaderCalibration()
    #expect(model.values(of: series, parameters: nil).history.isEmpty)
    let impossible = CalibrationParameters(i1: 0, i2: 0, i3: 18, i4: 6_931, i5: 0, i6: 6_536)
    #expect(model.values(of: series, parameters: impossible).history.isEmpty)
  }

  @Test("the description names the model, and there is none without parameters")
  func description() throws {
    let description = try #require(ReaderCalibration().description(for: ReaderSeries.parameters))
    #expect(description.model == "reader" && description.version == 2 && !description.isFactory)
    #expect(description.sensorParameters == ReaderSeries.parameters)
    #expect(ReaderCalibration().description(for: nil) == nil)
  }
}
