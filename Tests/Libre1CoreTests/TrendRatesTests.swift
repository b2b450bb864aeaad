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
