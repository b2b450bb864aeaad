// SPDX-License-Identifier: Apache-2.0
import CGMModel
import GlucoseReport
import Testing

extension GlucosePair {
  /// A pair in mg/dL, `minutes` after 2024-05-02T00:00:00Z.
  static func of(_ reference: Double, _ sensor: Double, minutes: Int = 0) throws -> GlucosePair {
    try #require(
      GlucosePair(
        time: Instant(secondsSince1970: 1_714_608_000).adding(minutes: minutes),
        reference: GlucoseConcentration(milligramsPerDecilitre: reference),
        sensor: GlucoseConcentration(milligramsPerDecilitre: sensor)))
  }
}
