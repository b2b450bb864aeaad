// SPDX-License-Identifier: Apache-2.0
import GlucoseReport
import HostSystem

/// Compares calibrations with the values that Abbott's own programs computed from the same memories, sensor by sensor.
///
/// The `INDEX.json` of a directory lists the memories and the official values of each:
///
///     {"vectors": [{"file": "scan.bin", "uid": …, "patchInfo": …, "official": {
///       "history": [{"minute": 2100, "mgdl": 86}], "historyErrors": [{"minute": 2745}], "current": {"mgdl": 103},
///       "values": [{"minute": 277, "mgdl": 60, "trend": [[minute, counts, temperature, adjustment], …]}]}}]}
///
/// `history` and `current` were computed from that scan, `values` from the sixteen minutes listed with them and the
/// scan's history. `history_float32`, pairs of a minute and a value, has a history that is not rounded. Programs store
/// whole mg/dL, so values are equal if they are the same after rounding.
///
/// LibreLink's database `sas.db` contains both scans and values: see `OfficialDatabase`.
package struct OfficialComparison: Sendable {
  /// `current` is the current value of a scan.
  package enum Kind: String, Sendable, CaseIterable {
    case history, current
  }

  /// The values of a calibration, or of known official software, for one sensor and kind, paired with the official ones.
  package struct Row: Sendable {
    /// The number of the sensor among those compared, from 1.
    package let number: Int
    /// The product, the file of the first memory, and the number of other memories of the sensor.
    package let sensor: String
    package let kind: Kind
    package let model: Comparison.Model

    package var equal: Int {
      model.pairs.count {
        $0.sensor.milligramsPerDecilitre.rounded() == $0.reference.milligramsPerDecilitre.rounded()
      }
    }

    /// True if there are enough values to tell, and none differs by 1 mg/dL or more: rounding explains half of that.
    package var fits: Bool {
      model.pairs.count >= Self.minimumCount
        && model.pairs.allSatisfy {
          abs($0.sensor.milligramsPerDecilitre - $0.reference.milligramsPerDecilitre) < 1
        }
    }

    /// The number of values from which software can be recognised.
    package static let minimumCount = 5
  }

  package private(set) var rows: [Row] = []
  /// The history by known official software, by sensor; its name stands in place of a calibration's.
  package private(set) var software: [Row] = []
  /// The number of records that are errors in the official results.
  package private(set) var officialErrors = 0
  /// The number of these records without a value, by calibration.
  package private(set) var errorsWithoutValue: [(calibration: String, count: Int)]
  package private(set) var count = 0

  package struct Failure: Error {
    package let path: String
    package let error: LibreError
  }

  /// Compares memories in directories with an index, and in databases of LibreLink; all of them must be readable.
  package init(paths: [String], calibrations: [Comparison.Calibration]) throws(Failure) {
    errorsWithoutValue = calibrations.map { ($0.name, 0) }
    let columns = calibrations.map(\.name) + OfficialScan.software.map(\.name)
    var sensors: [Sensor] = []
    // An index may list a memory twice, encrypted and decrypted.
    var seen: Set<[UInt8]> = []
    for path in paths {
      let scans =
        FileSystem.isFolder(path)
        ? try Self.scans(inDirectory: path, calibrations) : try Self.scans(ofDatabase: path, calibrations)
      for (scan, file) in scans where seen.insert(scan.reading.memory.bytes).inserted {
        let facts = scan.reading.sensor
        var index = sensors.firstIndex { $0.fingerprint == facts.fingerprint && facts.fingerprint != nil }
        if index == nil {
          index = sensors.count
          sensors.append(Sensor(fingerprint: facts.fingerprint, name: "\(facts.family.productName), \(file)"))
        }
        sensors[index ?? 0].add(scan, columns: columns.count)
        officialErrors += scan.errors.count
        for (place, history) in scan.history.prefix(calibrations.count).enumerated() {
          errorsWithoutValue[place].count += scan.errors.count { history[$0] == nil }
        }
      }
    }
    for (index, sensor) in sensors.enumerated() {
      for found in sensor.rows(columns, number: index + 1) {
        rows += found.prefix(calibrations.count)
        // The current value is not known of any software.
        if found.first?.kind == .history { software += found.dropFirst(calibrations.count) }
      }
      count += sensor.count
    }
  }

  private typealias Scans = [(scan: OfficialScan, file: String)]

  private static func scans(
    inDirectory directory: String, _ calibrations: [Comparison.Calibration]
  ) throws(Failure) -> Scans {
    var scans: Scans = []
    for entry in try reading("\(directory)/\(OfficialIndex.fileName)", OfficialIndex.init).vectors {
      guard let official = entry.values else { continue }
      let scan = try reading("\(directory)/\(entry.file)") { path throws(LibreError) in
        OfficialScan(try entry.readings(at: path, calibrations), official, calibrations)
      }
      scans.append((scan, entry.file))
    }
    return scans
  }

  private static func scans(
    ofDatabase path: String, _ calibrations: [Comparison.Calibration]
  ) throws(Failure) -> Scans {
    try reading(path) { path throws(LibreError) in
      let byCalibration = try calibrations.map { (_, choice) throws(LibreError) in
        var options = DecodeOptions()
        options.calibration = choice
        let decoder = DumpDecoder(options: options)
        // A damaged scan has no values, neither here nor in LibreLink.
        return decoder.readings(of: try decoder.open(path)).map { try? $0.get() }
      }
      var database = try OfficialDatabase(path)
      var scans: Scans = []
      for place in byCalibration.first?.indices ?? 0..<0 {
        let readings = byCalibration.compactMap { $0[place] }
        guard readings.count == calibrations.count, let first = readings.first,
          let official = database.values(of: first)
        else { continue }
        scans.append((OfficialScan(readings, official, calibrations), String(path.split(separator: "/").last ?? "")))
      }
      return scans
    }
  }

  private static func reading<Value>(
    _ path: String, _ read: (String) throws(LibreError) -> Value
  ) throws(Failure) -> Value {
    do throws(LibreError) { return try read(path) } catch { throw Failure(path: path, error: error) }
  }

  private struct Sensor {
    let fingerprint: SensorFingerprint?
    let name: String
    var scans = 0
    var count = 0
    var pairs: [Kind: [[GlucosePair]]] = [:]

    mutating func add(_ scan: OfficialScan, columns: Int) {
      scans += 1
      for value in scan.values {
        count += 1
        for (column, own) in value.own.enumerated() {
          let pair = own.flatMap {
            GlucosePair(
              time: Instant(secondsSince1970: 0).adding(minutes: value.minute),
              reference: GlucoseConcentration(milligramsPerDecilitre: value.official),
              sensor: GlucoseConcentration(milligramsPerDecilitre: $0))
          }
          // A kind has rows as soon as it has an official value.
          pairs[value.kind, default: Array(repeating: [], count: columns)][column] += pair.map { [$0] } ?? []
        }
      }
    }

    /// The rows of each kind that has official values, the history first; one row per column.
    func rows(_ columns: [String], number: Int) -> [[Row]] {
      let others = scans > 1 ? " and \(scans - 1) more" : ""
      return Kind.allCases.compactMap { kind in
        pairs[kind].map { pairs in
          zip(columns, pairs).map {
            Row(number: number, sensor: name + others, kind: kind, model: Comparison.Model(name: $0, pairs: $1))
          }
        }
      }
    }
  }
}
