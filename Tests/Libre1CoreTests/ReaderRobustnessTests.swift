// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import Libre1Core

/// Seeded series that no sensor would store, and some that one could, against the plain second implementation.
struct ReaderRobustnessTests {
  private static let errors: [UInt16] = [0x220, 0x020, 0x202, 0x300, 0x120, 0x7FF, 0]

  private func sample(
    _ ring: SampleRing, _ minute: Int, wild: Bool, _ random: inout SplitMix64
  ) -> RawSample {
    let counts = wild ? random.number(0...16_383) : random.number(400...2_500)
    let temperatures = [0, 128, 2_000, 4_700, 9_500, 16_380]
    let temperature =
      random.number(0...(wild ? 3 : 30)) == 0 ? temperatures[random.number(0...5)] : random.number(6_000...8_000)
    let hasError = random.number(0...8) == 0
    return RawSample(
      ring: ring, minute: SensorMinute(minute), glucose: random.number(0...15) == 0 ? 0 : UInt16(counts),
      temperature: UInt16(temperature), temperatureAdjustment: Int16(4 * random.number(-511...511) / (wild ? 1 : 30)),
      hasError: hasError, errorField: Self.errors[random.number(0...Self.errors.count - 1)], isNeverWritten: false)
  }

  private func check(_ series: SampleSeries, _ parameters: CalibrationParameters, seed: UInt64) -> SeriesValues {
    let values = ReaderCalibration().values(of: series, parameters: parameters)
    #expect(values.history.values.allSatisfy { $0.milligramsPerDecilitre.isFinite && $0.ratePerMinute == nil })
    #expect(
      values.trend.values.allSatisfy {
        $0.milligramsPerDecilitre.isFinite && $0.ratePerMinute.map(\.isFinite) == true
      })
    let difference = values.largestDifference(from: ReaderByTheText(parameters: parameters).values(of: series))
    #expect(difference.map { $0 < 1e-6 } == true, "seed \(seed): \(String(describing: difference))")
    return values
  }

  @Test("the second implementation gives the same values for wears with errors and gaps, in any order")
  func wears() {
    var history = 0
    var trend = 0
    let rounds = TestTier.rounds(8, full: 24)
    for seed in UInt64(1)...UInt64(rounds) {
      var random = SplitMix64(seed: seed)
      let first = [1, 40, 2_500, 9_000, 14_300, 65_000][random.number(0...5)]
      let last = min(first + random.number(20...600), 65_535)
      var samples = (first...last).map { sample(.trend, $0, wild: false, &random) }
      samples.removeAll { _ in random.number(0...60) == 0 }
      var records = stride(from: (first + 14) / 15 * 15, through: last, by: 15).map {
        sample(.history, $0, wild: false, &random)
      }
      records.removeAll { _ in random.number(0...12) == 0 }
      samples.shuffle(using: &random)
      records.shuffle(using: &random)
      let values = check(
        SampleSeries(history: records, trend: samples), ReaderSeries.parameters, seed: seed)
      history += values.history.count
      trend += values.trend.count
    }
    #expect(history > 5 * rounds)
    #expect(trend > 29 * rounds)
  }

  @Test("huge, repeated, negative and impossible numbers never trap and never give a value that is not a number")
  func hostile() {
    for seed in UInt64(1)...UInt64(TestTier.rounds(40, full: 150)) {
      var random = SplitMix64(seed: seed &* 0x9E37)
      let start = [-200, 0, 3_000, 65_300][random.number(0...3)]
      let minutes = (0..<200).map { _ in start + random.number(0...160) } + [.min, .max, -1, 0, 65_535, 65_536]
      let grid = (0..<60).map { _ in (start / 15 + random.number(0...14)) * 15 + (random.number(0...20) == 0 ? 1 : 0) }
      let series = SampleSeries(
        history: grid.map { sample(.history, $0, wild: true, &random) },
        trend: minutes.map { sample(.trend, $0, wild: true, &random) })
      let parameters = CalibrationParameters(
        i1: random.number(0...7), i2: random.number(-1...1_025), i3: random.number(-255...255),
        i4: random.number(0...5) == 0 ? random.number(-255...255) : random.number(0...16_383),
        i5: random.number(0...16_380), i6: random.number(0...16_380))
      _ = check(series, parameters, seed: seed)
    }
  }
}
