// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import Testing

@testable import Libre1Core

struct USLibre2AppTests {
  private func values(_ history: [RawSample]) -> [SensorMinute: Double] {
    USLibre2App.history(of: SampleSeries(history: history, trend: []), parameters: ReaderSeries.parameters)
  }

  /// Libre1Core/Calibration, "Another algorithm", with the platform's functions.
  private func byTheText(_ compensated: Double, minute: Int) -> Double {
    let w = compensated + 76.7659 * exp(-Double(minute) / 730.638)
    return 0.980762 * w + 5.97454 + 25.7187 / (1 + pow(w / 33.9055, 4.42552))
  }

  @Test(
    "equal records have their glucose, with the term for a young sensor, on the curve", arguments: [600, 3_660, 9_000])
  func flat(first: Int) throws {
    for counts in [500, 800, 1_400, 2_500] {
      let values = values(ReaderSeries.history(from: first, [Int](repeating: counts, count: 8)))
      // The newest record lacks a newer neighbour.
      #expect(values.count == 7)
      for (minute, value) in values {
        let expected = byTheText(ReaderSeries.glucose(Double(counts)), minute: minute.value)
        #expect(abs(value - expected) < 1e-9, "\(counts) counts, minute \(minute.value)")
      }
    }
  }

  @Test("under 95 mg/dL a steep line is compensated up to the full limits, which reader lowers")
  func fullLimits() throws {
    let history = ReaderSeries.history(from: 6_000, (0..<9).map { 60 + 205 * $0 })
    let series = SampleSeries(history: history, trend: [])
    let reader = ReaderCalibration().values(of: series, parameters: ReaderSeries.parameters)
    let minute = SensorMinute(6_060)
    let glucose = ReaderSeries.glucose(60 + 205 * 4)
    try #require((60..<95).contains(glucose))
    let lowered = try #require(reader[.history, minute]).milligramsPerDecilitre
    let full = try #require(values(history)[minute])
    #expect(full > byTheText(lowered, minute: 6_060) + 5)
  }

  @Test("missing parameters, and glucose under 1 mg/dL, give no value")
  func none() {
    #expect(USLibre2App.history(of: SampleSeries(history: [], trend: []), parameters: nil).isEmpty)
    #expect(values(ReaderSeries.history(from: 9_000, [Int](repeating: 60, count: 6))).isEmpty)
  }

  @Test("limits that are not lowered are whole from 55 to 95 mg/dL, and the same elsewhere")
  func full() {
    for glucose in [56.0, 65, 94.9] {
      #expect(LagStep.limited(1_000, at: glucose, isLowered: false) == 40)
      #expect(LagStep.limited(-1_000, at: glucose, isLowered: false) == -20)
    }
    for glucose in [50.0, 55, 95, 130, 330, 501] {
      #expect(LagStep.limited(1_000, at: glucose, isLowered: false) == LagStep.limited(1_000, at: glucose))
    }
  }
}
