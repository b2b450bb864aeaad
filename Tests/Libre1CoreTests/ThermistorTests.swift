// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Libre1Core

struct ThermistorTests {
  @Test(
    "the worked examples of Libre1Core/Calibration are reproduced to the last printed decimal",
    arguments: [
      (name: "A", i6: 6_536, counts: 6_776.0, adjustment: -12.0, celsius: 31.281_680),
      ("B", 6_536, 6_552, -8, 32.030_062), ("C", 6_996, 7_520, -8, 30.509_765), ("E", 6_996, 7_160, 4, 31.615_753),
    ])
  func workedExamples(name: String, i6: Int, counts: Double, adjustment: Double, celsius: Double) {
    #expect(abs(Thermistor(i6: i6).celsius(of: counts, adjustment: adjustment) - celsius) < 0.000_000_6, "\(name)")
  }

  @Test(
    "without a resistance above zero there is no temperature",
    arguments: [
      (6_536, 0, 0, true), (0, 6_552, 0, true), (8, 6_552, -8, true), (8, 6_552, -2_044, true), (0, 0, -4, true),
      // 90 × 72500 / 6525 = 1000: exactly no resistance.
      (6_525, 90, 0, true), (6_525, 94, 0, false),
    ])
  func impossible(i6: Int, counts: Int, adjustment: Int, isImpossible: Bool) {
    let celsius = Thermistor(i6: i6).celsius(of: Double(counts), adjustment: Double(adjustment))
    #expect(celsius.isNaN == isImpossible)
  }

  @Test("the temperature agrees with platform arithmetic for every signal a sensor can store")
  func everySignal() {
    var worst = 0.0
    var compared = 0
    for i6 in [0, 4, 3_000, 6_192, 6_536, 6_996, 7_176, 16_380] {
      for adjustment in [-2_044, -12, 0, 4, 2_044] {
        let counts = Array(stride(from: 0, through: 16_380, by: 4))
        let celsius = Thermistor(i6: i6).celsius(
          of: counts.map(Double.init), adjustments: [Double](repeating: Double(adjustment), count: counts.count))
        for (count, value) in zip(counts, celsius) {
          let expected = ReferenceFormula.celsius(temperature: count, adjustment: adjustment, i6: i6)
          #expect(value.isNaN == (expected == nil))
          guard let expected else { continue }
          // Kelvin: near 0 °C a relative difference in degrees has no meaning.
          worst = max(worst, abs(value - expected) / (expected + 273.15))
          compared += 1
        }
      }
    }
    #expect(compared > 120_000)
    #expect(worst <= 1e-13, "worst relative difference \(worst)")
  }
}

/// The ends of the domain. For the numbers of sensors ThermistorTests and FactoryCalibrationTests hold the functions
/// against those of the platform.
struct ElementaryFunctionsTests {
  @Test("the logarithm is also right next to 1, at powers of two and at the limits of doubles")
  func logarithmAtTheEdges() {
    #expect(ElementaryFunctions.log(ofQuotient: 1, by: 1) == 0)
    for value in [0.5, 2, 4, 1_024, 1.000_000_001, 0.999_999_999, 0.707_106_781, 1.414_213_562, 1e-300, 1e300, 5e-3] {
      let expected = Foundation.log(value)
      #expect(abs(ElementaryFunctions.log(ofQuotient: value, by: 1) - expected) <= 1e-13 * abs(expected), "\(value)")
    }
  }

  @Test("integer powers are exact over the promised range")
  func wholePowers() {
    for exponent in -999...999 {
      #expect(ElementaryFunctions.exp2(Double(exponent)) == Foundation.exp2(Double(exponent)))
    }
  }
}
