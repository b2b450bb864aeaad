// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

struct GlucoseConcentrationTests {
  @Test("102.4808 mg/dL is 5.6877 mmol/L with the factor 18.0182")
  func millimoles() {
    let value = GlucoseConcentration(milligramsPerDecilitre: 102.480_832)
    #expect(abs(value.millimolesPerLitre - 5.687_628_73) < 1e-6)
    #expect(GlucoseConcentration(milligramsPerDecilitre: 18.0182).millimolesPerLitre == 1)
  }

  @Test("a stored number is a concentration only above 0 and up to 1,000 mg/dL")
  func possible() {
    for number in [Double.nan, .infinity, -.infinity, 0, -0.0, -5, 1_000.000_1, 1e300] {
      #expect(GlucoseConcentration(possible: number) == nil, "\(number)")
    }
    for number in [0.1, 100.9, 1_000] {
      #expect(GlucoseConcentration(possible: number)?.milligramsPerDecilitre == number)
    }
    #expect(GlucoseConcentration(possible: nil) == nil)
  }

  @Test("a sample whose number is impossible has no usable concentration, whatever its quality")
  func unusable() {
    let raw = RawSample(
      ring: .history, minute: SensorMinute(75), glucose: 1_300, temperature: 6_500, temperatureAdjustment: 0,
      hasError: false, errorField: 0, isNeverWritten: false)
    for (number, isUsable) in [(104.0, true), (0, false), (1_000.5, false), (.infinity, false), (-3, false)] {
      let sample = GlucoseSample(
        raw: raw, temperatureCelsius: 32, concentration: GlucoseConcentration(milligramsPerDecilitre: number),
        quality: .ok)
      #expect((sample.usableConcentration != nil) == isUsable, "\(number)")
    }
  }
}
