// SPDX-License-Identifier: Apache-2.0
import CGMModel
import GlucoseReport

extension WallClock {
  /// Rome in 2024: summer time from 31 March to 27 October, 01:00 UTC.
  static let rome = WallClock(
    LocalClock(zoneName: "Europe/Rome") {
      (1_711_846_800..<1_729_990_800).contains($0.secondsSince1970) ? 7_200 : 3_600
    })
}
