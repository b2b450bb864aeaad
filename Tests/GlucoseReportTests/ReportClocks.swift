// SPDX-License-Identifier: Apache-2.0
import CGMModel
import GlucoseReport
import Testing

/// Clocks, and values by them.
enum ReportClocks {
  static let utc = WallClock(LocalClock(zoneName: "UTC") { _ in 0 })

  /// Values so many minutes apart. A moment that cannot be read gives none, which no test expects.
  static func points(_ start: String, _ values: [Double], every minutes: Int = 15) -> [GlucosePoint] {
    guard let start = Instant(rfc3339: start) else { return [] }
    return values.enumerated().map { index, value in
      GlucosePoint(start.adding(minutes: index * minutes), value)
    }
  }
}

extension WallClock {
  /// Rome in 2024: summer time from 31 March to 27 October, 01:00 UTC.
  static let rome = WallClock(
    LocalClock(zoneName: "Europe/Rome") {
      (1_711_846_800..<1_729_990_800).contains($0.secondsSince1970) ? 7_200 : 3_600
    })
}

extension GlucosePoint {
  init(_ time: Instant, _ milligrams: Double) {
    self.init(time: time, concentration: GlucoseConcentration(milligramsPerDecilitre: milligrams))
  }
}

extension HistoryEntry {
  /// A value of another program.
  static func imported(
    _ time: Instant, _ milligrams: Double, ring: SampleRing = .history, source: String = "libreview"
  ) -> HistoryEntry {
    .imported(
      ImportedSample(
        source: source, device: nil, ring: ring, time: time,
        concentration: GlucoseConcentration(milligramsPerDecilitre: milligrams)))
  }
}

func instant(_ text: String) throws -> Instant { try #require(Instant(rfc3339: text)) }
