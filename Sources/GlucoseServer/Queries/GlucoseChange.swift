// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// Change of the newest of some values, by an earlier one.
///
/// Nightscout knows a change only where a value of the 20 minutes before is there and gives none for most of a sensor's
/// history, which has a value every 15 minutes. Here an earlier value of up to half an hour before is taken.
struct GlucoseChange {
  /// Seconds before the newest value in which an earlier one is looked for: nearer ones are noise.
  private static let range: ClosedRange<Int64> = 150...1_800
  /// Minutes from which on Nightscout calls a change interpolated.
  private static let longestMeasured = 9

  let newest: ServedGlucose
  /// nil where only the change itself is known.
  let previous: ServedGlucose?
  /// mg/dL in five minutes.
  let inFiveMinutes: Double

  /// nil if nothing is known. The values are newest first.
  init?(_ values: some RandomAccessCollection<ServedGlucose>) {
    guard let newest = values.first else { return nil }
    self.newest = newest
    func age(_ value: ServedGlucose) -> Int64 { newest.time.secondsSince1970 - value.time.secondsSince1970 }
    // The one nearest to five minutes before.
    previous = values.dropFirst().prefix { age($0) <= Self.range.upperBound }.filter { Self.range.contains(age($0)) }
      .min { abs(age($0) - 300) < abs(age($1) - 300) }
    if let delta = newest.delta {
      inFiveMinutes = delta
    } else if let previous {
      inFiveMinutes = Double(newest.wireValue - previous.wireValue) * 300 / Double(age(previous))
    } else {
      return nil
    }
  }

  /// Change in five minutes, rounded as Nightscout shows values in this unit.
  func shown(in unit: GlucoseUnit) -> Double { unit.shownByNightscout(inFiveMinutes) }

  var elapsedMinutes: Int? {
    previous.map { Int(newest.time.secondsSince1970 - $0.time.secondsSince1970 + 30) / 60 }
  }

  /// True where the value of five minutes before was not measured.
  var isInterpolated: Bool { elapsedMinutes.map { $0 > Self.longestMeasured } ?? true }
}
