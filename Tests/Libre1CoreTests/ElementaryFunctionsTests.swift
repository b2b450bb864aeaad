// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Libre1Core

/// Sensors can reach every resistance that 12 bits of temperature, 9 of adjustment and 12 of reference can express, and
/// every temperature that follows from one.
struct ElementaryFunctionsTests {
  /// Ohms of every storable temperature against several references and adjustments, those above zero.
  private func resistances() -> [Double] {
    var ohms: [Double] = []
    for i6 in [4, 400, 3_000, 6_192, 6_536, 6_996, 7_176, 12_000, 16_380] {
      for adjustment in [-2_044, -400, -12, -8, 0, 4, 400, 2_044] where i6 + adjustment > 0 {
        for temperature in stride(from: 0, through: 16_380, by: 4) {
          let value = Double(temperature) * 72_500 / Double(adjustment + i6) - 1_000
          if value > 0 { ohms.append(value) }
        }
      }
    }
    return ohms
  }

  @Test("the logarithm agrees with the platform's to 15 digits for every resistance of a sensor")
  func logarithm() {
    let ohms = resistances()
    #expect(ohms.count > 200_000)
    var worst = 0.0
    for value in ohms {
      let expected = Foundation.log(value)
      worst = max(worst, abs(ElementaryFunctions.log(ofQuotient: value, by: 1) - expected) / abs(expected))
    }
    #expect(worst <= 1e-15, "worst relative error \(worst)")
    print("ElementaryFunctions.log: worst relative error \(worst) over \(ohms.count) resistances")
  }

  @Test("the logarithm is also right next to 1, at powers of two and at the limits of doubles")
  func logarithmAtTheEdges() {
    #expect(ElementaryFunctions.log(ofQuotient: 1, by: 1) == 0)
    for value in [0.5, 2, 4, 1_024, 1.000_000_001, 0.999_999_999, 0.707_106_781, 1.414_213_562, 1e-300, 1e300, 5e-3] {
      let expected = Foundation.log(value)
      #expect(abs(ElementaryFunctions.log(ofQuotient: value, by: 1) - expected) <= 1e-13 * abs(expected), "\(value)")
    }
  }

  @Test("the power of two agrees with the platform's to 15 digits for every exponent of the formula")
  func powerOfTwo() {
    var worst = 0.0
    var compared = 0
    // −1000…1000 °C at 0.0635 a degree, and every possible temperature in steps of a thousandth.
    let exponents =
      stride(from: -65.0, through: 65.0, by: 0.001).map { $0 }
      + stride(from: 0.0, through: 50.0, by: 0.001).map { (32.5 - $0) * 0.063_502_942_306_157_95 }
    for exponent in exponents {
      let expected = Foundation.exp2(exponent)
      worst = max(worst, abs(ElementaryFunctions.exp2(exponent) - expected) / expected)
      compared += 1
    }
    #expect(compared > 180_000)
    #expect(worst <= 1e-15, "worst relative error \(worst)")
    print("ElementaryFunctions.exp2: worst relative error \(worst) over \(compared) exponents")
  }

  @Test("integer powers are exact over the promised range")
  func wholePowers() {
    for exponent in -999...999 {
      #expect(ElementaryFunctions.exp2(Double(exponent)) == Foundation.exp2(Double(exponent)))
    }
  }
}
