// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import HostSystem
import TextFormats

/// The glucose values in LibreLink's database `sas.db` (HistoryFormats/Formats, "librelink"). Its `timestampLocal` is
/// the same as `timestampUTC` on the phone's clock and is not used.
package struct LibreLinkDatabase {
  /// The number of a sensor in the table `sensors`.
  package typealias SensorRow = Int64

  package struct Value: Sendable {
    package let sensor: SensorRow
    /// The sensor's minute; nil for a value at a scan.
    package let minute: Int?
    package let time: Instant
    package let milligramsPerDecilitre: Double
  }

  private let connection: SQLiteConnection<HistoryError>

  /// True if the file at a path is an SQLite database with LibreLink's table of history values.
  package static func isOne(at path: String) -> Bool {
    guard let connection: SQLiteConnection<HistoryError> = try? ForeignDatabase.open(path) else { return false }
    return (try? connection.columns(ofForeignTable: table(of: .history))) ?? nil != nil
  }

  package init(_ path: String) throws(HistoryError) {
    connection = try ForeignDatabase.open(path)
    for ring in [SampleRing.history, .trend] {
      try require(["sensorId", "timestampUTC", "glucoseValue"], of: Self.table(of: ring))
    }
    try require(["sampleNumber"], of: Self.table(of: .history))
  }

  static func table(of ring: SampleRing) -> String {
    switch ring {
    case .history: "historicReadings"
    case .trend: "realTimeReadings"
    }
  }

  /// Returns the serial number of each sensor, as printed on its box.
  package func serials() throws(HistoryError) -> [SensorRow: String] {
    try require(["sensorId", "serialNumber"], of: "sensors")
    let rows = try connection.statement("SELECT sensorId, serialNumber FROM sensors LIMIT 10000")
    var serials: [SensorRow: String] = [:]
    while let row = try rows.next() {
      if let sensor = row[0].integer, let serial = row[1].text, !serial.isEmpty { serials[sensor] = serial }
    }
    return serials
  }

  /// Passes on the values of a ring in the order of their times.
  package func forEachValue(
    of ring: SampleRing, _ value: (Value) throws(HistoryError) -> Void
  ) throws(HistoryError) {
    let table = Self.table(of: ring)
    let minute = ring == .history ? "sampleNumber" : "NULL"
    let rows = try connection.statement(
      "SELECT sensorId, \(minute), timestampUTC, glucoseValue FROM \(table) ORDER BY timestampUTC, rowid")
    while let row = try rows.next() {
      func bad(_ column: Int, _ name: String) -> HistoryError {
        .badField(line: nil, name: "\(table).\(name)", value: row[column].shown)
      }
      guard let time = row[2].integer.flatMap(Self.instant) else { throw bad(2, "timestampUTC") }
      guard let glucose = row[3].real else { throw bad(3, "glucoseValue") }
      guard let sensor = row[0].integer else { throw bad(0, "sensorId") }
      try value(
        Value(sensor: sensor, minute: row[1].integer.map { Int($0) }, time: time, milligramsPerDecilitre: glucose))
    }
  }

  /// Returns for each sensor the minutes of history records without a value.
  package func historyErrors() throws(HistoryError) -> [SensorRow: [Int]] {
    try require(["sensorId", "sampleNumber"], of: "historicErrors")
    let rows = try connection.statement("SELECT sensorId, sampleNumber FROM historicErrors ORDER BY sampleNumber")
    var errors: [SensorRow: [Int]] = [:]
    while let row = try rows.next() {
      if let sensor = row[0].integer, let minute = row[1].integer { errors[sensor, default: []].append(Int(minute)) }
    }
    return errors
  }

  private func require(_ columns: [String], of table: String) throws(HistoryError) {
    guard let found = try connection.columns(ofForeignTable: table) else {
      throw .notThisFormat(lacks: "the table \(table)")
    }
    for column in columns where found[column.lowercased()] != true {
      throw .notThisFormat(lacks: "the column \(table).\(column)")
    }
  }

  private static func instant(_ milliseconds: Int64) -> Instant? {
    let time = Instant(secondsSince1970: milliseconds / 1_000)
    return time >= .firstSensor && Instant.writable.contains(time) ? time : nil
  }
}

extension SQLiteValue {
  fileprivate var shown: String {
    switch self {
    case .null: "missing"
    case .integer(let number): String(number)
    case .real(let number): String(number)
    case .text(let text): SafeText.quoted(text)
    case .blob(let bytes): "\(bytes.count) bytes"
    }
  }
}
