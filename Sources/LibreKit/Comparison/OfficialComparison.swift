// SPDX-License-Identifier: Apache-2.0
import CGMModel
import GlucoseReport
import HostSystem
import Libre1Core
import TextFormats

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
  /// One calibration's values of one sensor and kind, paired with the official ones.
  package struct Row: Sendable {
    /// The number of the sensor among those compared, from 1.
    package let number: Int
    /// The product, the file of the first memory, and the number of other memories of the sensor.
    package let sensor: String
    /// `history`, or `current` for the current value of a scan.
    package let kind: String
    package let model: Comparison.Model
    /// The number of values that are equal in whole mg/dL.
    package let equal: Int
  }

  /// The values that known official software gives the history of one sensor, paired with the official ones.
  package struct Fit: Sendable {
    /// The values, with the name of the software in place of a calibration's.
    package let row: Row

    /// True if there are enough values to tell, and none differs by 1 mg/dL or more: rounding explains half of that.
    package var fits: Bool {
      row.model.pairs.count >= Self.minimumCount
        && row.model.pairs.allSatisfy {
          abs($0.sensor.milligramsPerDecilitre - $0.reference.milligramsPerDecilitre) < 1
        }
    }

    /// The number of values from which software can be told.
    package static let minimumCount = 5
  }

  package let rows: [Row]
  /// The known software, by sensor.
  package let fits: [Fit]
  /// The number of records that are errors in the official results.
  package let officialErrors: Int
  /// The number of these records without a value, by calibration.
  package let errorsWithoutValue: [(calibration: String, count: Int)]
  /// The number of official values.
  package let count: Int

  /// A file with an error, and the error.
  package struct Failure: Error {
    package let path: String
    package let error: LibreError
  }

  /// Compares the memories in directories with an index, and in databases of LibreLink.
  ///
  /// - Throws: `Failure` for a missing or malformed index, and for a memory that cannot be decoded.
  package init(
    paths: [String], calibrations: [(name: String, choice: CalibrationChoice)]
  ) throws(Failure) {
    var sensors: [Sensor] = []
    var officialErrors = 0
    var withoutValue = calibrations.map { _ in 0 }
    // An index may list a memory twice, encrypted and decrypted.
    var seen: Set<[UInt8]> = []
    for path in paths {
      let scans =
        FileSystem.isFolder(path)
        ? try Self.scans(inDirectory: path, calibrations) : try Self.scans(ofDatabase: path, calibrations)
      for (scan, official, file) in scans {
        guard seen.insert(scan.bytes).inserted else { continue }
        let place = sensors.firstIndex { $0.fingerprint == scan.fingerprint && scan.fingerprint != nil }
        if place == nil {
          sensors.append(Sensor(fingerprint: scan.fingerprint, family: scan.family, file: file))
        }
        let index = place ?? sensors.count - 1
        sensors[index].scans += 1
        sensors[index].add(official, of: scan)
        for error in official.historyErrors ?? [] {
          officialErrors += 1
          for index in withoutValue.indices where scan.values[index].history[error.minute] == nil {
            withoutValue[index] += 1
          }
        }
      }
    }
    self.officialErrors = officialErrors
    errorsWithoutValue = zip(calibrations, withoutValue).map { ($0.name, $1) }
    rows = sensors.enumerated().flatMap { $1.rows(calibrations.map(\.name), number: $0 + 1) }
    fits = sensors.enumerated().flatMap { $1.fits(number: $0 + 1) }
    count = sensors.reduce(0) { $0 + $1.counts.reduce(0, +) }
  }

  private typealias Scans = [(scan: OfficialScan, official: OfficialIndex.Values, file: String)]
  private typealias Calibrations = [(name: String, choice: CalibrationChoice)]

  private static func scans(inDirectory directory: String, _ calibrations: Calibrations) throws(Failure) -> Scans {
    var scans: Scans = []
    for entry in try reading("\(directory)/\(OfficialIndex.fileName)", OfficialIndex.init).vectors {
      guard let official = entry.values else { continue }
      let scan = try reading("\(directory)/\(entry.file)") { path throws(LibreError) in
        try OfficialScan(entry, at: path, calibrations)
      }
      scans.append((scan, official, entry.file))
    }
    return scans
  }

  private static func scans(ofDatabase path: String, _ calibrations: Calibrations) throws(Failure) -> Scans {
    try reading(path) { path throws(LibreError) in
      let byCalibration = try calibrations.map { (_, choice) throws(LibreError) in
        var options = DecodeOptions()
        options.calibration = choice
        let decoder = DumpDecoder(options: options)
        // A damaged scan has no values, neither here nor in LibreLink.
        return decoder.readings(of: try decoder.open(path)).map { try? $0.get() }
      }
      let database = try OfficialDatabase(path)
      var scans: Scans = []
      var attribution = database.attribution()
      for place in byCalibration.first?.indices ?? 0..<0 {
        let readings = byCalibration.compactMap { $0[place] }
        guard readings.count == calibrations.count, let first = readings.first else { continue }
        let scan = OfficialScan(readings, calibrations)
        if let values = attribution.values(of: first) {
          scans.append((scan, values, String(path.split(separator: "/").last ?? "")))
        }
      }
      return scans
    }
  }

  private static func reading<Value>(
    _ path: String, _ read: (String) throws(LibreError) -> Value
  ) throws(Failure) -> Value {
    do throws(LibreError) {
      return try read(path)
    } catch {
      throw Failure(path: path, error: error)
    }
  }

  private struct Sensor {
    let fingerprint: SensorFingerprint?
    let family: SensorFamily
    let file: String
    var scans = 0
    /// Indexed by kind, then by calibration.
    var pairs: [[[GlucosePair]]] = [[], []]
    /// The pairs of the history, indexed by known software.
    var known: [[GlucosePair]] = KnownSoftware.all.map { _ in [] }
    var counts = [0, 0]

    init(fingerprint: SensorFingerprint?, family: SensorFamily, file: String) {
      (self.fingerprint, self.family, self.file) = (fingerprint, family, file)
    }

    mutating func add(_ official: OfficialIndex.Values, of scan: OfficialScan) {
      for kind in pairs.indices where pairs[kind].isEmpty {
        pairs[kind] = Array(repeating: [], count: scan.values.count)
      }
      for row in official.allHistory {
        counts[0] += 1
        add(0, row.mgdl, minute: row.minute) { scan.values[$0].history[row.minute] }
        for index in known.indices {
          if let pair = Self.pair(row.mgdl, minute: row.minute, scan.historyBySoftware[index][row.minute]) {
            known[index].append(pair)
          }
        }
      }
      if let current = official.current {
        counts[1] += 1
        add(1, current.mgdl, minute: scan.newestTrendMinute) { scan.values[$0].trend[scan.newestTrendMinute] }
      }
      for row in official.values ?? [] {
        counts[1] += 1
        add(1, row.mgdl, minute: row.minute) { scan.value(of: row, $0) }
      }
    }

    private mutating func add(_ kind: Int, _ official: Double, minute: Int, _ value: (Int) -> Double?) {
      for index in pairs[kind].indices {
        if let pair = Self.pair(official, minute: minute, value(index)) { pairs[kind][index].append(pair) }
      }
    }

    /// Pairs an official value with one of ours; nil if one of them is missing or no number.
    private static func pair(_ official: Double, minute: Int, _ value: Double?) -> GlucosePair? {
      value.flatMap {
        GlucosePair(
          time: Instant(secondsSince1970: 0).adding(minutes: minute),
          reference: GlucoseConcentration(milligramsPerDecilitre: official),
          sensor: GlucoseConcentration(milligramsPerDecilitre: $0))
      }
    }

    func rows(_ names: [String], number: Int) -> [Row] {
      zip(OfficialComparison.kinds, pairs.indices).flatMap { kind, index in
        zip(names, pairs[index]).compactMap { name, pairs in
          counts[index] == 0 ? nil : row(pairs, kind: kind, name: name, number: number)
        }
      }
    }

    func fits(number: Int) -> [Fit] {
      zip(KnownSoftware.all, known).compactMap { software, pairs in
        counts[0] == 0
          ? nil : Fit(row: row(pairs, kind: OfficialComparison.kinds[0], name: software.name, number: number))
      }
    }

    private func row(_ pairs: [GlucosePair], kind: String, name: String, number: Int) -> Row {
      let others = scans > 1 ? " and \(scans - 1) more" : ""
      return Row(
        number: number, sensor: "\(family.productName), \(file)\(others)", kind: kind,
        model: Comparison.Model(name: name, pairs: pairs),
        equal: pairs.count {
          $0.sensor.milligramsPerDecilitre.rounded() == $0.reference.milligramsPerDecilitre.rounded()
        })
    }
  }

  /// The kinds of values, in the order of `Sensor.pairs`.
  private static let kinds = ["history", "current"]
}
