// SPDX-License-Identifier: Apache-2.0
public import CGMModel
import TextFormats

/// Blood glucose as a person types it: `104`, `104mg`, `104 mg/dL`, `5.6mmol`, `5,6 mmol/L`.
public enum GlucoseArgument {
  /// The possible values in mg/dL, wider than any meter shows; others are typing errors or have the wrong unit.
  public static let possible = 10.0...1000.0

  /// Parses a value.
  ///
  /// - Throws: `configuration(badOption)` for text that is not a number, or an impossible value.
  public static func concentration(_ text: String, unit: GlucoseUnit) throws(LibreError) -> GlucoseConcentration {
    let trimmed = text.drop { $0.isWhitespace }.lowercased().withoutTrailingSpaces
    let suffixes: [(String, GlucoseUnit)] = [
      ("mmol/l", .millimolesPerLitre), ("mmol", .millimolesPerLitre), ("mg/dl", .milligramsPerDecilitre),
      ("mg", .milligramsPerDecilitre),
    ]
    let suffix = suffixes.first { trimmed.hasSuffix($0.0) }
    let digits = trimmed.dropLast(suffix?.0.count ?? 0).withoutTrailingSpaces.map { $0 == "," ? "." : $0 }
    guard digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), let number = Double(String(digits)) else {
      throw .configuration(
        .badOption(name: "the value", value: SafeText.excerpt(text), allowed: "a number such as 104, 104mg or 5.6mmol"))
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
          allowed: "10 to 1000 mg/dL or 0.6 to 55 mmol/L, with the unit, such as 104mg or 5.6mmol"))
    }
    return value
  }
}

extension StringProtocol {
  fileprivate var withoutTrailingSpaces: SubSequence {
    self[..<(lastIndex { !$0.isWhitespace }.map { index(after: $0) } ?? startIndex)]
  }
}
