// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import Libre1Core

struct ReaderTrendTests {
  private static let base = ReaderSeries.glucose(1_400)
  /// Seven equal records; the newest is of minute 6000.
  private static let flat = ReaderSeries.history(from: 5_910, [Int](repeating: 1_400, count: 7))

  private func values(
    _ counts: [Int], upTo last: Int = 6_008, history: [RawSample] = flat, errors: [Int: UInt16] = [:]
  ) -> SeriesValues {
    let trend = ReaderSeries.trend(upTo: last, counts).map { sample in
      errors[sample.minute.value].map {
        ReaderSeries.sample(.trend, sample.minute.value, Int(sample.glucose), error: $0)
      } ?? sample
    }
    return ReaderSeries.values(history: history, trend: trend)
  }

  @Test("a newest minute that a reader's field disturbed has a value from the minutes before it")
  func newestDisturbed() throws {
    let counts = [Int](repeating: 1_400, count: 15) + [3_000]
    let disturbed = try #require(values(counts, errors: [6_008: 0x220])[.trend, SensorMinute(6_008)])
    #expect(abs(disturbed.milligramsPerDecilitre - Self.base) < 1e-9)
    #expect(abs(try #require(disturbed.ratePerMinute)) < 1e-9)
  }

  @Test("three history records are required, and the newest of them may be one that is not yet written")
  func history() {
    let counts = [Int](repeating: 1_400, count: 16)
    func has(_ last: Int, without missing: Int) -> Bool {
      let history = Self.flat.filter { $0.minute.value != missing }
      return values(counts, upTo: last, history: history).trend(last) != nil
    }
    // At 6001 the record of 6000 is not written yet, at 6016 that of 6015; the others are asked for the three newest.
    let cases = [
      (6_001, needed: [5_985, 5_970], notNeeded: [5_955]), (6_002, [5_985, 5_970], [6_000, 5_955]),
      (6_008, [5_985, 5_970], [6_000, 5_955]), (6_016, [6_000, 5_985], [5_970]), (6_017, [6_000, 5_985], [5_970]),
    ]
    for (last, needed, notNeeded) in cases {
      #expect(has(last, without: 0))
      for minute in needed { #expect(!has(last, without: minute), "\(last) without \(minute)") }
      for minute in notNeeded { #expect(has(last, without: minute), "\(last) without \(minute)") }
    }
    #expect(values(counts, upTo: 16, history: []).trend.isEmpty)
  }

  @Test("an estimate is left out if the history falls by 5 or rises by 5.5 mg/dL per minute")
  func historyRate() {
    func value(_ middle: Double) -> Double {
      var sum = WeightedSteps(base: 100)
      sum.add([300, middle, 300], row: 0)
      return sum.value
    }
    // The rate is 1.477 (300 − middle) / 15; the estimate is 300 with its limits of 40 or 20 times 10/17.
    let share = 1 - 140.0 / 340
    #expect(abs(value(300 - 55.85) - (75 * 100 + 92 * (300 + 40 * share)) / 167) < 1e-9)
    #expect(value(300 - 55.87) == 100)
    #expect(abs(value(300 + 50.77) - (75 * 100 + 92 * (300 - 20 * share)) / 167) < 1e-9)
    #expect(value(300 + 50.79) == 100)
  }
}
