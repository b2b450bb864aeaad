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
/// scan's history. Programs store whole mg/dL, so values are equal if they are the same after rounding.
///
/// LibreLink's database `sas.db` contains both scans and values: see `OfficialDatabase`.
public struct OfficialComparison: Sendable {
  /// One calibration's values of one sensor and kind, paired with the official ones.
  public struct Row: Sendable {
    /// The product, the file of the first memory, and the number of other memories of the sensor.
    public let sensor: String
    /// `history`, or `current` for the current value of a scan.
    public let kind: String
    public let model: Comparison.Model
    /// The number of values that are equal in whole mg/dL.
    public let equal: Int
  }

  public let rows: [Row]
  /// The number of records that are errors in the official results.
  public let officialErrors: Int
  /// The number of these records without a value, by calibration.
  public let errorsWithoutValue: [(calibration: String, count: Int)]
  /// The number of official values.
  public let count: Int

  /// A file with an error, and the error.
  public struct Failure: Error {
    public let path: String
    public let error: LibreError
  }

  /// Compares the memories in directories with an index, and in databases of LibreLink.
  ///
  /// - Throws: `Failure` for a missing or malformed index, and for a memory that cannot be decoded.
  public init(
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
    rows = sensors.flatMap { $0.rows(calibrations.map(\.name)) }
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
    var counts = [0, 0]

    init(fingerprint: SensorFingerprint?, family: SensorFamily, file: String) {
      (self.fingerprint, self.family, self.file) = (fingerprint, family, file)
    }

    mutating func add(_ official: OfficialIndex.Values, of scan: OfficialScan) {
      for kind in pairs.indices where pairs[kind].isEmpty {
        pairs[kind] = Array(repeating: [], count: scan.values.count)
      }
      for row in official.history ?? [] {
        counts[0] += 1
        add(0, row.mgdl, minute: row.minute) { scan.values[$0].history[row.minute] }
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
        let pair = value(index).flatMap {
          GlucosePair(
            time: Instant(secondsSince1970: 0).adding(minutes: minute),
            reference: GlucoseConcentration(milligramsPerDecilitre: official),
            sensor: GlucoseConcentration(milligramsPerDecilitre: $0))
        }
        if let pair { pairs[kind][index].append(pair) }
      }
    }

    func rows(_ names: [String]) -> [Row] {
      let others = scans > 1 ? " and \(scans - 1) more" : ""
      return zip(["history", "current"], pairs.indices).flatMap { kind, index in
        zip(names, pairs[index]).compactMap { name, pairs in
          counts[index] == 0
            ? nil
            : Row(
              sensor: "\(family.productName), \(file)\(others)", kind: kind,
              model: Comparison.Model(name: name, pairs: pairs),
              equal: pairs.count {
                $0.sensor.milligramsPerDecilitre.rounded() == $0.reference.milligramsPerDecilitre
              })
        }
      }
    }
  }
}

/// One memory with the values of each calibration.
struct OfficialScan {
  struct Values {
    var history: [Int: Double] = [:]
    var trend: [Int: Double] = [:]
  }

  let values: [Values]
  let fingerprint: SensorFingerprint?
  let family: SensorFamily
  let newestTrendMinute: Int
  private let reading: SensorReading
  private let calibrations: [(name: String, choice: CalibrationChoice)]

  init(
    _ entry: OfficialIndex.Entry, at path: String, _ calibrations: [(name: String, choice: CalibrationChoice)]
  ) throws(LibreError) {
    var options = DecodeOptions()
    options.uid = entry.uid.flatMap { try? SensorUID(printed: $0) }
    options.patchInfo = entry.patchInfo.flatMap(HexText.bytes).flatMap(PatchInfo.init)
    let file = try Files.read(path)
    var readings: [SensorReading] = []
    for calibration in calibrations {
      options.calibration = calibration.choice
      readings.append(try DumpDecoder(options: options).decode(file, path: path))
    }
    self.init(readings, calibrations)
  }

  /// Creates the scan from the readings of one memory, one per calibration and at least one.
  init(_ readings: [SensorReading], _ calibrations: [(name: String, choice: CalibrationChoice)]) {
    reading = readings[0]
    var values: [Values] = []
    for reading in readings {
      func byMinute(_ samples: [GlucoseSample]) -> [Int: Double] {
        Dictionary(
          samples.compactMap { sample in
            sample.concentration.map { (sample.minute.value, $0.milligramsPerDecilitre) }
          }, uniquingKeysWith: { first, _ in first })
      }
      values.append(Values(history: byMinute(reading.history), trend: byMinute(reading.trend)))
    }
    (self.values, self.calibrations) = (values, calibrations)
    fingerprint = reading.sensor.fingerprint
    family = reading.sensor.family
    newestTrendMinute = reading.trend.first?.minute.value ?? 0
  }

  /// The decrypted memory.
  var bytes: [UInt8] { reading.memory.bytes }

  /// Computes a calibration's value for the newest of the minutes listed with an official value.
  func value(of row: OfficialIndex.Streamed, _ index: Int) -> Double? {
    let trend = row.trend.compactMap { fields -> RawSample? in
      guard fields.count == 4, let glucose = UInt16(exactly: fields[1]), let temperature = UInt16(exactly: fields[2]),
        let adjustment = Int16(exactly: fields[3])
      else { return nil }
      return RawSample(
        ring: .trend, minute: SensorMinute(fields[0]), glucose: glucose, temperature: temperature,
        temperatureAdjustment: adjustment, hasError: false, errorField: 0, isNeverWritten: false)
    }
    guard let parameters = reading.calibration.flatMap(CalibrationParameters.init),
      let newest = trend.first(where: { $0.minute.value == row.minute })
    else { return nil }
    switch calibrations[index].choice {
    case .series(let model):
      let series = SampleSeries(history: reading.history.map(\.raw), trend: trend)
      return model.values(of: series, parameters: parameters)[.trend, newest.minute]?.milligramsPerDecilitre
    case .factory, .user, .model:
      let sample = GlucoseSample(
        raw: newest, temperatureCelsius: Thermistor.celsius(of: newest, i6: parameters.i6), concentration: nil,
        quality: .ok)
      return sample.recalibrated(
        by: calibrations[index].choice.pointModel, parameters: parameters, hasThermistor: true
      ).concentration?.milligramsPerDecilitre
    }
  }
}

/// The part of an `INDEX.json` with official values.
struct OfficialIndex: Decodable {
  struct Entry: Decodable {
    let file: String
    let uid: String?
    let patchInfo: String?
    let official: Values?
    let expectedFromSource: Expected?

    /// The official values, from either of two places.
    var values: Values? { official ?? expectedFromSource?.officialAlgorithm?.values }
  }

  struct Values: Decodable {
    var history: [Value]?
    var historyErrors: [Failure]?
    var current: Current?
    var values: [Streamed]?
  }

  struct Value: Decodable {
    let minute: Int
    let mgdl: Double
  }

  struct Failure: Decodable { let minute: Int }
  struct Current: Decodable { let mgdl: Double }

  struct Streamed: Decodable {
    let minute: Int
    let mgdl: Double
    let trend: [[Int]]
  }

  /// The result of Abbott's library, with its names. Quality 1 marks a value that was not computed.
  struct Expected: Decodable {
    struct Answer: Decodable {
      struct Value: Decodable {
        let bg: Double
        let quality: Int
        let time: Int
      }

      let historicBg: [Value]?
      let currentBg: Double?

      var values: Values {
        Values(
          history: historicBg?.filter { $0.quality == 0 }.map { OfficialIndex.Value(minute: $0.time, mgdl: $0.bg) },
          current: currentBg.map(Current.init))
      }
    }

    let officialAlgorithm: Answer?
  }

  let vectors: [Entry]

  static let fileName = "INDEX.json"

  init(_ path: String) throws(LibreError) {
    let bytes = try Files.read(path)
    do throws(JSONError) {
      self = try JSONReading.value(OfficialIndex.self, from: bytes)
    } catch {
      let culprit =
        switch error {
        case .notJSON(let words): words
        case .badField(let name): "\(name) is missing or has the wrong type"
        case .tooLarge(let found, let limit): "\(found) bytes exceed the limit of \(limit)"
        }
      throw .input(.unreadable("invalid index of official values: \(culprit)"))
    }
  }
}
