// SPDX-License-Identifier: Apache-2.0
package import GlucoseReport
package import SampleStore
import TextFormats

/// Usable values of the same time from two sources, of which only one is used in each quarter of an hour: two persons, or
/// two sensors on one person, are mixed.
package enum HistoryOverlap: Hashable, Sendable {
  case sensors(SimultaneousSensors)
  case files(DifferingFiles.Pair)

  package func message(_ clock: WallClock) -> String {
    switch self {
    case .sensors(let sensors):
      let days = [sensors.from, sensors.to].map { clock.name(ofDay: clock.day($0)) }
      let span = days[0] == days[1] ? "on \(days[0])" : "from \(days[0]) to \(days[1])"
      return
        "the sensors \(SensorNames.short(sensors.first)) and \(SensorNames.short(sensors.second)) were worn at the same time, \(span): only one counts at a time, the one that was started last"
    case .files(let pair):
      let names = [pair.first, pair.second].map(SafeText.line).joined(separator: " and ")
      return
        "\(names) have different values in the same \(pair.quarters) quarters of an hour, as of two persons or two sensors: only one of them is used in each"
    }
  }
}
