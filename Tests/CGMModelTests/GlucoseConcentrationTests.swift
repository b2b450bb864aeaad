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

  @Test("a value below zero is kept as it is")
  func negative() {
    let value = GlucoseConcentration(milligramsPerDecilitre: -20)
    #expect(value.milligramsPerDecilitre == -20)
    #expect(value < GlucoseConcentration(milligramsPerDecilitre: 0))
  }
}
