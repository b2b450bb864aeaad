// SPDX-License-Identifier: Apache-2.0
package import GlucoseReport
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

/// Finds two files with different values of the same time, as of two persons or two sensors.
///
/// Counts quarters of an hour in which both files have history values of the same source and device, and none in common.
/// An hour of them is enough: where one file of a person ends and the next begins, they may share a quarter. Values of
/// sensors are not counted, because the store knows which sensor they are from: `SensorStore.simultaneousSensors`.
package struct DifferingFiles {
  package struct Pair: Hashable, Sendable {
    package let first: String
    package let second: String
    package let quarters: Int
  }

  private struct Place: Hashable {
    let source: String
    let device: String?
    let quarter: Int64
  }

  private struct Value: Hashable {
    let file: Int
    let time: Instant
    let milligrams: Double
  }

  private static let minimumQuarters = 4

  private var paths: [String] = []
  private var values: [Place: [Value]] = [:]

  package init() {}

  package mutating func begin(_ path: String) { paths.append(path) }

  package mutating func add(_ entry: HistoryEntry) {
    guard case .imported(let imported) = entry, imported.ring == .history else { return }
    let (time, milligrams) = (imported.time, imported.concentration.milligramsPerDecilitre)
    let place = Place(source: imported.source, device: imported.device, quarter: QuarterHours.number(of: time))
    values[place, default: []].append(Value(file: paths.count - 1, time: time, milligrams: milligrams))
  }

  /// The two files with the most such quarters, the first of which is the first file with a value in them; nil if
  /// files do not differ.
  package var most: Pair? {
    var counts: [[Int]: Int] = [:]
    for values in values.values where values.contains(where: { $0.file != values[0].file }) {
      let byFile = Dictionary(grouping: values, by: \.file)
      let files = byFile.keys.sorted()
      let first = Set((byFile[files[0]] ?? []).map { Value(file: 0, time: $0.time, milligrams: $0.milligrams) })
      for file in files.dropFirst() {
        let isDifferent = (byFile[file] ?? []).allSatisfy {
          !first.contains(Value(file: 0, time: $0.time, milligrams: $0.milligrams))
        }
        if isDifferent { counts[[files[0], file], default: 0] += 1 }
      }
    }
    let enough = counts.filter { $0.value >= Self.minimumQuarters }
    // The earlier files come first if two have the same number: the order of a dictionary must not decide.
    let most = enough.min { ($1.value, $0.key[0], $0.key[1]) < ($0.value, $1.key[0], $1.key[1]) }
    return most.map { Pair(first: paths[$0.key[0]], second: paths[$0.key[1]], quarters: $0.value) }
  }
}
