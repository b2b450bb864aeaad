// SPDX-License-Identifier: Apache-2.0
public import CGMModel
import TextFormats

extension GlucoseUnit {
  /// A value as people read it: whole mg/dL, tenths of mmol/L.
  public func shown(_ concentration: GlucoseConcentration) -> String {
    switch self {
    case .milligramsPerDecilitre: DecimalText.fixed(concentration.milligramsPerDecilitre, places: 0)
    case .millimolesPerLitre: DecimalText.fixed(concentration.millimolesPerLitre, places: 1)
    }
  }
}
