// SPDX-License-Identifier: Apache-2.0
import CGMModel
import LibreKit
import Testing

@Suite("Blood glucose as typed by the user") struct GlucoseArgumentTests {
  private func milligrams(_ text: String, _ unit: GlucoseUnit = .milligramsPerDecilitre) throws -> Double {
    try GlucoseArgument.concentration(text, unit: unit).milligramsPerDecilitre
  }

  @Test("a number has the unit that is set or the unit written with it")
  func units() throws {
    #expect(try milligrams("104") == 104)
    let same = try milligrams("5.6", .millimolesPerLitre)
    #expect(same == GlucoseConcentration(millimolesPerLitre: 5.6).milligramsPerDecilitre)
    for text in ["5.6mmol", "5,6 mmol/L", "5.6mmol/l", " 5.6 MMOL ", "5.60\tmmol"] {
      #expect(try milligrams(text) == same, "\(text)")
    }
    for text in ["104mg", "104 mg/dL", "104 MG/DL", "104.0mg", " 104 "] { #expect(try milligrams(text) == 104) }
    #expect(try milligrams("104mg", .millimolesPerLitre) == 104)
  }

  @Test("values from 10 to 1000 mg/dL are accepted")
  func limits() throws {
    #expect(try milligrams("10") == 10 && milligrams("1000") == 1_000)
    #expect(try milligrams("0.6mmol") > 10 && milligrams("55.4mmol") < 1_000)
    for (text, unit, given) in [
      ("9.9", GlucoseUnit.milligramsPerDecilitre, "mg/dL"), ("1000.1", .milligramsPerDecilitre, "mg/dL"),
      ("0", .milligramsPerDecilitre, "mg/dL"), ("5.6", .milligramsPerDecilitre, "mg/dL"),
      ("104", .millimolesPerLitre, "mmol/L"), ("0.5mmol", .milligramsPerDecilitre, "mmol/L"),
      (String(repeating: "9", count: 400), .milligramsPerDecilitre, "mg/dL"),
    ] {
      let error = #expect(throws: LibreError.self) { try GlucoseArgument.concentration(text, unit: unit) }
      #expect(error?.message.contains("(in \(given))") == true, "\(text)")
      #expect(error?.exitStatus == 64 || error?.exitStatus == 78)
    }
  }

  @Test(
    "all other text is rejected",
    arguments: [
      "", " ", ".", "mg", "abc", "-104", "+104", "1e2", "0x68", "nan", "inf", "1.0.4", "1,0,4", "10 4", "104 105",
      "104mmolmg", "mg104", "104 g", "١٠٤", "104\u{0}",
    ])
  func noNumber(text: String) {
    let error = #expect(throws: LibreError.self) { try milligrams(text) }
    #expect(
      error?.message.contains("a number such as 104, 104mg or 5.6mmol") == true
        || error?.resolution.contains("104mg") == true)
  }
}
