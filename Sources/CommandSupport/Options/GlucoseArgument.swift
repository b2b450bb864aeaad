// SPDX-License-Identifier: Apache-2.0
package import LibreKit
import TextFormats

/// Blood glucose as a person types it: `104`, `104mg`, `104 mg/dL`, `5.6mmol`, `5,6 mmol/L`.
package enum GlucoseArgument {
  /// The values that meters show; others are typing errors or have the wrong unit.
  package static func possible(in unit: GlucoseUnit) -> ClosedRange<Double> {
    switch unit {
    case .milligramsPerDecilitre: 10...600
    case .millimolesPerLitre: 0.6...33.3
    }
  }

  /// Parses a value that a meter may show. With `isNew` false any value is accepted, because it names one that is
  /// stored.
  package static func concentration(
    _ text: String, unit: GlucoseUnit, isNew: Bool = true
  ) throws(LibreError) -> GlucoseConcentration {
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
    let given = suffix?.1 ?? unit
    guard !isNew || possible(in: given).contains(number) else {
      throw .configuration(
        .badOption(
          name: "the value", value: "\(SafeText.excerpt(text)) (in \(given.rawValue))",
          allowed: "10 to 600 mg/dL or 0.6 to 33.3 mmol/L, as meters show it, with the unit, such as "
            + likely(number, given)))
    }
    return switch given {
    case .milligramsPerDecilitre: GlucoseConcentration(milligramsPerDecilitre: number)
    case .millimolesPerLitre: GlucoseConcentration(millimolesPerLitre: number)
    }
  }

  private static func likely(_ number: Double, _ unit: GlucoseUnit) -> String {
    let other: GlucoseUnit = unit == .milligramsPerDecilitre ? .millimolesPerLitre : .milligramsPerDecilitre
    let meant = [(number / 10, GlucoseUnit.millimolesPerLitre), (number, other)].filter {
      possible(in: $1).contains($0) && (number > possible(in: unit).upperBound || $1 != unit)
    }
    let texts = meant.map { value, unit in
      DecimalText.shortest(value, places: 1) + (unit == .millimolesPerLitre ? "mmol" : "mg")
    }
    return texts.isEmpty ? "104mg or 5.6mmol" : texts.joined(separator: " or ")
  }
}

extension StringProtocol {
  fileprivate var withoutTrailingSpaces: SubSequence {
    self[..<(lastIndex { !$0.isWhitespace }.map { index(after: $0) } ?? startIndex)]
  }
}
