// SPDX-License-Identifier: Apache-2.0
public import CGMModel

extension GlucoseUnit {
  /// Decimals with which people read it: whole mg/dL, tenths of mmol/L.
  public var places: Int {
    switch self {
    case .milligramsPerDecilitre: 0
    case .millimolesPerLitre: 1
    }
  }

  /// In this unit.
  public func value(of concentration: GlucoseConcentration) -> Double {
    switch self {
    case .milligramsPerDecilitre: concentration.milligramsPerDecilitre
    case .millimolesPerLitre: concentration.millimolesPerLitre
    }
  }

  /// A value as people read it, without its unit's name.
  public func shown(_ concentration: GlucoseConcentration) -> String {
    DecimalText.fixed(value(of: concentration), places: places)
  }
}
