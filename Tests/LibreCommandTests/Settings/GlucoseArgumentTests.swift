// SPDX-License-Identifier: Apache-2.0
import CGMModel
import LibreKit
import Testing

@testable import CommandSupport

@Suite("Blood glucose as typed by the user") struct GlucoseArgumentTests {
  private func milligrams(_ text: String, _ unit: GlucoseUnit = .milligramsPerDecilitre) throws -> Double {
    try GlucoseArgument.concentration(text, unit: unit).milligramsPerDecilitre
  }

  @Test("a number has the unit that is set or the unit written with it")
  func units() throws {
    #expect(try milligrams("104") == 104)
    let same = try milligrams("5.6", .millimolesPerLitre)
    #expect(same == GlucoseConcentration(millimolesPerLitre: 5.6).milligramsPerDecilitre)
    for text in ["5.6mmol", "5,6 mmol/L", " 5.60\tMMOL/l "] { #expect(try milligrams(text) == same, "\(text)") }
    for text in ["104mg", "104.0 MG/DL"] { #expect(try milligrams(text) == 104) }
    #expect(try milligrams("104mg", .millimolesPerLitre) == 104)
  }

  @Test("a value that no meter shows is refused: the error names what was meant, and 10 to 600 mg/dL are accepted")
  func likelyValues() throws {
    for (text, unit, meant) in [
      ("54", GlucoseUnit.millimolesPerLitre, "5.4mmol or 54mg"), ("104", .millimolesPerLitre, "10.4mmol or 104mg"),
      ("5.6", .milligramsPerDecilitre, "5.6mmol"), ("5,6mg", .milligramsPerDecilitre, "5.6mmol"),
      ("0.1", .millimolesPerLitre, "104mg or 5.6mmol"), ("0.1", .milligramsPerDecilitre, "104mg or 5.6mmol"),
      ("9999", .millimolesPerLitre, "104mg or 5.6mmol"),
    ] {
      let error = #expect(throws: LibreError.self) { try GlucoseArgument.concentration(text, unit: unit) }
      #expect(error?.allowed.hasSuffix("such as \(meant)") == true, "\(text): \(error?.allowed ?? "")")
    }
    #expect(
      try GlucoseArgument.concentration("54mmol", unit: .millimolesPerLitre, isNew: false).millimolesPerLitre == 54)
    #expect(try milligrams("10") == 10 && milligrams("600") == 600)
    #expect(try milligrams("0.6mmol") > 10 && milligrams("33.3mmol") < 601)
    for (text, unit, given) in [
      ("9.9", GlucoseUnit.milligramsPerDecilitre, "mg/dL"), ("600.1", .milligramsPerDecilitre, "mg/dL"),
      ("0", .milligramsPerDecilitre, "mg/dL"), ("5.6", .milligramsPerDecilitre, "mg/dL"),
      ("104", .millimolesPerLitre, "mmol/L"), ("0.5mmol", .milligramsPerDecilitre, "mmol/L"),
      (String(repeating: "9", count: 400), .milligramsPerDecilitre, "mg/dL"),
    ] {
      let error = #expect(throws: LibreError.self) { try GlucoseArgument.concentration(text, unit: unit) }
      #expect(error?.message.contains("(in \(given))") == true, "\(text)")
    }
  }

  @Test("all other text is rejected")
  func noNumber() {
    for text in ["", ".", "mg", "-104", "1e2", "nan", "1,0,4", "10 4", "104mmolmg", "104 g", "١٠٤", "104\u{0}"] {
      let error = #expect(throws: LibreError.self, "\(text)") { try milligrams(text) }
      let words = (error?.message ?? "") + (error?.allowed ?? "")
      #expect(words.contains("a number such as 104, 104mg or 5.6mmol") || words.contains("104mg"), "\(text)")
    }
  }
}

extension LibreError {
  /// The values that the setting or the option of the error allows, in words.
  var allowed: String {
    switch cause as? ConfigurationError {
    case .badValue(_, _, _, let allowed), .badOption(_, _, let allowed): allowed
    default: ""
    }
  }
}
