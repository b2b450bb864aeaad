// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import Libre1Core

/// Small series by hand. Where glucose is under 55 mg/dL nothing is compensated, and the value is the smoothed one.
struct ReaderHistoryTests {
  private static let low = ReaderSeries.glucose(650)
  private static let bump = ReaderSeries.glucose(680) - low

  @Test("one high record among equal ones is spread by the weights 1, 4, 1 and 4")
  func fullWeights() throws {
    // Eleven records from minute 6000 on, 650 counts, 680 in the middle (6075).
    try #require(Self.low + Self.bump < 55 && Self.low > 30 && Self.bump > 1)
    let counts = [Int](repeating: 650, count: 5) + [680] + [Int](repeating: 650, count: 5)
    let values = ReaderSeries.values(history: ReaderSeries.history(from: 6_000, counts))
    func share(_ minute: Int) throws -> Double { (try #require(values.history(minute)) - Self.low) / Self.bump }
    // Lines of three at the bump: 5/6 from either side, 1/3 across.
    #expect(abs(try share(6_075) - (5.0 / 6 + 4.0 / 3 + 5.0 / 6 + 4 * 5.0 / 6) / 10) < 1e-9)
    for minute in [6_060, 6_090] {
      #expect(abs(try share(minute) - (1.0 / 3 + 4.0 / 3 + 4 * 1.0 / 6) / 10) < 1e-9)
    }
    for minute in [6_045, 6_105] {
      #expect(abs(try share(minute) - (-1.0 / 6 - 4 * 1.0 / 12) / 10) < 1e-9)
    }
    for minute in [6_000, 6_015, 6_030, 6_120, 6_135] { #expect(abs(try share(minute)) < 1e-9) }
    #expect(values.history(6_150) == nil)
  }

  @Test("a straight line is compensated by each part according to its slope, if the part has neighbours")
  func straightLine() throws {
    let counts = (0..<12).map { 1_300 + 10 * $0 }
    let values = ReaderSeries.values(history: ReaderSeries.history(from: 6_000, counts))
    let slope = (ReaderSeries.glucose(1_310) - ReaderSeries.glucose(1_300)) / 15
    let across = (94.0, (0.53 + 14.33) * slope)
    let newer = (94.0, (15.89 - 1.21) * slope)
    let older = (92.0, (14.77 - 3.24) * slope)
    for place in 0..<11 {
      let base = ReaderSeries.glucose(Double(counts[place]))
      try #require(base > 95 && base < 160)
      let parts =
        (place >= 1 ? [across] : []) + (place <= 9 ? [newer] : []) + (place >= 2 ? [older] : [])
      let sum = 75 * base + parts.map { $0.0 * (base + $0.1) }.reduce(0, +)
      let expected = sum / (75 + parts.map(\.0).reduce(0, +))
      #expect(abs(try #require(values.history(6_000 + 15 * place)) - expected) < 1e-9, "place \(place)")
    }
  }

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
