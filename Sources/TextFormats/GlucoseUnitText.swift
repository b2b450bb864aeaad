// SPDX-License-Identifier: Apache-2.0
package import CGMModel

extension GlucoseUnit {
  /// The usual number of decimals: none for mg/dL, one for mmol/L.
  package var places: Int {
    switch self {
    case .milligramsPerDecilitre: 0
    case .millimolesPerLitre: 1
    }
  }

  package func value(of concentration: GlucoseConcentration) -> Double {
    switch self {
    case .milligramsPerDecilitre: concentration.milligramsPerDecilitre
    case .millimolesPerLitre: concentration.millimolesPerLitre
    }
  }

  /// The concentration with the usual number of decimals, without the unit's name.
  package func shown(_ concentration: GlucoseConcentration) -> String {
    DecimalText.fixed(value(of: concentration), places: places)
  }

  /// A figure of the statistics in mg/dL; nil is a dash.
  package func shown(figure: Double?) -> String {
    figure.map { shown(GlucoseConcentration(milligramsPerDecilitre: $0)) } ?? "–"
  }

  /// A change with its sign, because without one it looks like a value.
  package func shown(change: Double) -> String { DecimalText.signed(shown(figure: change)) }

  /// A rate with its sign, and enough decimals for a slow change.
  package func shown(ratePerMinute rate: Double) -> String {
    DecimalText.signed(
      DecimalText.fixed(value(of: GlucoseConcentration(milligramsPerDecilitre: rate)), places: places + 2))
  }
}
