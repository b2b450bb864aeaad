// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import Libre1Core

struct TrendRatesTests {
  /// Good samples that rise by `slope` per minute.
  private func rates(_ minutes: some Sequence<Int>, slope: Double = 1.5, quality: SampleQuality = .ok) -> TrendRates {
    var rates = TrendRates()
    for minute in minutes {
      let raw = RawSample(
        ring: .trend, minute: SensorMinute(minute), glucose: 1_000, temperature: 6_500, temperatureAdjustment: 0,
        hasError: false, errorField: 0, isNeverWritten: false)
      rates.add(
        GlucoseSample(
          raw: raw, temperatureCelsius: 32,
          concentration: GlucoseConcentration(milligramsPerDecilitre: 100 + slope * Double(minute - 1_000)),
          quality: quality, time: nil))
    }
    return rates
  }

  @Test("the rate of a minute is the slope of the fifteen minutes before it, in any order of the samples")
  func slope() throws {
    let minutes = Array(985...1_000)
    for order in [minutes, minutes.reversed()] {
      let rate = try #require(rates(order).ratePerMinute(at: SensorMinute(1_000)))
      #expect(abs(rate - 1.5) < 1e-9)
    }
    #expect(rates(minutes, quality: .error).ratePerMinute(at: SensorMinute(1_000)) == nil)
  }

  @Test("later minutes and those before the fifteen do not affect the rate")
  func span() throws {
    var bent = rates(985...1_000)
    for other in [rates(970...984, slope: 40), rates(1_001...1_016, slope: 40)] {
      for lag in 0...47 {
        if let sample = other.trend[SensorMinute(970 + lag)] { bent.add(sample) }
      }
    }
    #expect(abs(try #require(bent.ratePerMinute(at: SensorMinute(1_000))) - 1.5) < 1e-9)
    #expect(try #require(bent.ratePerMinute(at: SensorMinute(1_010))) > 10)
  }

  @Test("four minutes have no rate, and minutes from ten minutes ago do not affect this one")
  func fewest() {
    for (minutes, hasRate) in [(996...1_000, true), (997...1_000, false), (986...995, true), (986...994, false)] {
      #expect((rates(minutes).ratePerMinute(at: SensorMinute(1_000)) != nil) == hasRate)
    }
    #expect(rates([]).ratePerMinute(at: SensorMinute(.min)) == nil)
  }
}

struct LeastSquaresTests {
  @Test("the height of the line is right between, beyond and far from its points")
  func height() throws {
    // The line through (0, 1), (1, 1), (2, 4): mean 2 at 1, slope 3/2.
    var line = LeastSquares()
    for (x, y) in [(0.0, 1.0), (1, 1), (2, 4)] { line.add(x: x, y: y) }
    for (x, y) in [(0.0, 0.5), (1, 2), (2, 3.5), (-10, -14.5)] {
      #expect(abs(try #require(line.value(at: x)) - y) < 1e-12)
    }
    var far = LeastSquares()
    for x in [1e6, 1e6 + 1] { far.add(x: x, y: 2 * x) }
    #expect(abs(try #require(far.value(at: 1e6 + 3)) - 2_000_006) < 1e-6)
  }

  @Test("fewer than two different x give no line")
  func none() {
    var line = LeastSquares()
    #expect(line.value(at: 0) == nil)
    line.add(x: 1, y: 5)
    #expect(line.value(at: 1) == nil)
    line.add(x: 1, y: 7)
    #expect(line.value(at: 1) == nil && line.slope == nil)
  }
}
