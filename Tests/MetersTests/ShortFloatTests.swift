// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import Meters

@Suite("SFLOAT")
struct ShortFloatTests {
  /// Mantissa and exponent of a word by integers alone, written without the shifts of the code under test.
  private static func expected(_ word: Int) -> (mantissa: Int, exponent: Int) {
    let (mantissa, exponent) = (word % 4_096, word / 4_096)
    return (mantissa < 2_048 ? mantissa : mantissa - 4_096, exponent < 8 ? exponent : exponent - 16)
  }

  @Test("is right for all 65,536 words: five special ones, the others mantissa times ten to the exponent")
  func allWords() {
    var specials: [Int: ShortFloat.Special] = [:]
    var wrong: [Int] = []
    for word in 0...0xFFFF {
      let sent = ShortFloat(word: UInt16(word))
      let expected = Self.expected(word)
      if let special = sent.special {
        specials[word] = special
        if sent.number != nil { wrong.append(word) }
      } else if sent.number != DecimalNumber(mantissa: expected.mantissa, exponent: expected.exponent) {
        wrong.append(word)
      }
    }
    #expect(wrong.isEmpty)
    #expect(
      specials == [
        0x07FE: .positiveInfinity, 0x07FF: .notANumber, 0x0800: .notAtThisResolution, 0x0801: .reserved,
        0x0802: .negativeInfinity,
      ])
  }

  @Test(
    "prints the digits that were sent",
    arguments: [
      (0xB05A, "0.00090"), (0xF4F6, "127.0"), (0x007B, "123"), (0xFFFF, "-0.1"), (0x17FF, "20470"), (0x1000, "0"),
      (0x8078, "0.00000120"),
    ])
  func text(word: UInt16, text: String) {
    #expect(ShortFloat(word: word).number?.description == text)
  }

  @Test("becomes mg/dL and mmol/L by the exponent alone, without a rounding error")
  func exactUnits() throws {
    let weight = MeterGlucose(number: try #require(ShortFloat(word: 0xB06F).number), unit: .kilogramsPerLitre)
    #expect(weight.description == "111 mg/dL")
    #expect(weight.concentration.milligramsPerDecilitre == 111)
    let moles = MeterGlucose(number: try #require(ShortFloat(word: 0xC03B).number), unit: .molesPerLitre)
    #expect(moles.description == "5.9 mmol/L")
    #expect(moles.displayed.number.value == 5.9)
  }
}
