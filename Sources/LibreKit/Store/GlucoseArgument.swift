// SPDX-License-Identifier: Apache-2.0
public import CGMModel
import TextFormats

/// Blood glucose as a person types it: `104`, `104mg`, `104 mg/dL`, `5.6mmol`, `5,6 mmol/L`.
public enum GlucoseArgument {
  /// What a strip can show, with room: values beyond are slips of the unit or of the finger.
  public static let possible = 10.0...1000.0

  /// Throws `configuration(badOption)` for text that is no number, or a value that no living person has.
  public static func concentration(_ text: String, unit: GlucoseUnit) throws(LibreError) -> GlucoseConcentration {
    let trimmed = text.drop { $0.isWhitespace }.lowercased().withoutEndingBlanks
    let suffixes: [(String, GlucoseUnit)] = [
      ("mmol/l", .millimolesPerLitre), ("mmol", .millimolesPerLitre), ("mg/dl", .milligramsPerDecilitre),
      ("mg", .milligramsPerDecilitre),
    ]
    let suffix = suffixes.first { trimmed.hasSuffix($0.0) }
    let digits = trimmed.dropLast(suffix?.0.count ?? 0).withoutEndingBlanks.map { $0 == "," ? "." : $0 }
    guard digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), let number = Double(String(digits)) else {
      throw .configuration(
        .badOption(name: "the value", value: SafeText.excerpt(text), allowed: "a number, as 104, 104mg or 5.6mmol"))
    }
    let value =
      switch suffix?.1 ?? unit {
      case .milligramsPerDecilitre: GlucoseConcentration(milligramsPerDecilitre: number)
      case .millimolesPerLitre: GlucoseConcentration(millimolesPerLitre: number)
      }
    guard possible.contains(value.milligramsPerDecilitre) else {
      let given = (suffix?.1 ?? unit).rawValue
      throw .configuration(
        .badOption(
          name: "the value", value: "\(SafeText.excerpt(text)) (in \(given))",
          allowed: "10 to 1000 mg/dL, 0.6 to 55 mmol/L; write the unit with it, as 5.6mmol or 104mg"))
    }
    return value
  }
}

extension StringProtocol {
  fileprivate var withoutEndingBlanks: SubSequence {
    self[..<(lastIndex { !$0.isWhitespace }.map { index(after: $0) } ?? startIndex)]
  }
}
