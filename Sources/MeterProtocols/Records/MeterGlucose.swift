// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// A concentration as a meter sends it: an exact decimal number with its unit.
package struct MeterGlucose: Hashable, Sendable, CustomStringConvertible {
  package let number: DecimalNumber
  package let unit: Unit

  /// The units that meters send.
  package enum Unit: String, Hashable, Sendable, CaseIterable {
    case kilogramsPerLitre = "kg/L"
    case molesPerLitre = "mol/L"
    /// The unit of OneTouch meters.
    case milligramsPerDecilitre = "mg/dL"
  }

  package init(number: DecimalNumber, unit: Unit) {
    self.number = number
    self.unit = unit
  }

  /// The number in the unit that people read, without rounding: mg/dL for kg/L, mmol/L for mol/L. Only the exponent
  /// changes, because both factors are powers of ten.
  package var displayed: (number: DecimalNumber, unit: GlucoseUnit) {
    switch unit {
    case .kilogramsPerLitre: (number.shifted(by: 5), .milligramsPerDecilitre)
    case .molesPerLitre: (number.shifted(by: 3), .millimolesPerLitre)
    case .milligramsPerDecilitre: (number, .milligramsPerDecilitre)
    }
  }

  /// The concentration, converted to mg/dL at most once.
  package var concentration: GlucoseConcentration {
    let (number, unit) = displayed
    return switch unit {
    case .milligramsPerDecilitre: GlucoseConcentration(milligramsPerDecilitre: number.value)
    case .millimolesPerLitre: GlucoseConcentration(millimolesPerLitre: number.value)
    }
  }

  /// The number and the unit as people read them: `111 mg/dL`, `5.9 mmol/L`.
  package var description: String { "\(displayed.number) \(displayed.unit.rawValue)" }
}
