// SPDX-License-Identifier: Apache-2.0
import CGMModel
import CRawSQLite
import SampleStore

/// What the store is held against: its rows, made by SQLite's C calls with statements that are used again.
///
/// Samples come from the readings, as they would in a program of its own. The few rows of other tables are copied from
/// the store, so that they are the same.
final class RawStore {
  struct Failure: Error {
    let words: String
  }

  /// The rows of a transaction, by table; samples stand in plain fields.
  struct Rows {
    var others: [(insert: OpaquePointer, values: [OpaquePointer])] = []
    var samples: [Sample] = []
  }

  struct Sample {
    let wear: Int64
    let calibration: Int64?
    let sample: GlucoseSample
  }

  private var database: OpaquePointer?
  /// The table, its columns as a list, the statement, and the last row that was copied.
  private var tables: [(name: String, key: String, insert: OpaquePointer, last: Int64)] = []
  private var insertSample: OpaquePointer?
  private var change: Int64 = 0
  private static let qualities: [SampleQuality: StaticString] = [
    .ok: "ok", .error: "error", .neverWritten: "never_written", .lowSignal: "low_signal", .temperature: "temperature",
    .warmUp: "warm_up",
  ]

  /// Opens a database with the schema and the pragmas of a store, which is attached to it.
  init(_ path: String, like store: String) throws {
    try check(sqlite3_open(path, &database))
    try execute(
      """
      PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL;
      ATTACH '\(store)' AS ours
      """)
    let own = "SELECT sql FROM ours.sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%' ORDER BY rowid"
    for sql in try texts(own) { try execute(sql) }
    for (name, key) in [("sensor", "id"), ("wear", "id"), ("calibration", "id"), ("scan", "number")] {
      let count = try texts("SELECT name FROM pragma_table_info('\(name)')").count
      let marks = Array(repeating: "?", count: count).joined(separator: ", ")
      tables.append((name, key, try statement("INSERT INTO main.\(name) VALUES (\(marks))"), 0))
    }
    insertSample = try statement(
      """
      INSERT INTO main.sample (wear, ring, minute, glucose, temperature, temperature_adjustment, has_error, error_field,
        quality, temperature_c, glucose_mg_dl, calibration, is_salvaged, change)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
      """)
  }

  deinit {
    // A connection with a statement that is not finalised stays open, and with it the log of the attached store.
    for statement in tables.map(\.insert) + [insertSample].compactMap(\.self) { sqlite3_finalize(statement) }
    sqlite3_close_v2(database)
  }

  // MARK: Rows

  /// The rows that the store has made of these scans.
  func rows(of scans: [IncomingScan]) throws -> Rows {
    var rows = Rows()
    for index in tables.indices {
      let (name, key, insert, last) = tables[index]
      let query = try statement("SELECT * FROM ours.\(name) WHERE \(key) > \(last) ORDER BY \(key)")
      defer { sqlite3_finalize(query) }
      while sqlite3_step(query) == SQLITE_ROW {
        let columns = 0..<sqlite3_column_count(query)
        rows.others.append((insert, columns.compactMap { sqlite3_value_dup(sqlite3_column_value(query, $0)) }))
        tables[index].last = sqlite3_column_int64(query, 0)
      }
    }
    let find = try statement(
      """
      SELECT scan.wear, (SELECT calibration FROM ours.sample WHERE wear = scan.wear LIMIT 1)
      FROM ours.scan JOIN ours.sensor ON sensor.id = scan.sensor WHERE scan.number = ?
      """)
    defer { sqlite3_finalize(find) }
    let first = tables[3].last - Int64(scans.count) + 1
    for (offset, scan) in scans.enumerated() {
      sqlite3_bind_int64(find, 1, first + Int64(offset))
      guard sqlite3_step(find) == SQLITE_ROW else { throw failure }
      let (wear, calibration) = (sqlite3_column_int64(find, 0), sqlite3_column_int64(find, 1))
      sqlite3_reset(find)
      for sample in scan.reading.history + scan.reading.trend {
        rows.samples.append(Sample(wear: wear, calibration: calibration, sample: sample))
      }
    }
    return rows
  }

  /// The transaction that is timed.
  func insert(_ rows: Rows) throws {
    try execute("BEGIN IMMEDIATE")
    change += 1
    for row in rows.others {
      for (index, value) in row.values.enumerated() { sqlite3_bind_value(row.insert, Int32(index + 1), value) }
      guard sqlite3_step(row.insert) == SQLITE_DONE else { throw failure }
      sqlite3_reset(row.insert)
    }
    for row in rows.samples {
      let raw = row.sample.raw
      sqlite3_bind_int64(insertSample, 1, row.wear)
      sqlite3_bind_int64(insertSample, 2, raw.ring == .history ? 0 : 1)
      sqlite3_bind_int64(insertSample, 3, Int64(raw.minute.value))
      sqlite3_bind_int64(insertSample, 4, Int64(raw.glucose))
      sqlite3_bind_int64(insertSample, 5, Int64(raw.temperature))
      sqlite3_bind_int64(insertSample, 6, Int64(raw.temperatureAdjustment))
      sqlite3_bind_int64(insertSample, 7, raw.hasError ? 1 : 0)
      sqlite3_bind_int64(insertSample, 8, Int64(raw.errorField ?? 0))
      if let quality = Self.qualities[row.sample.quality] {
        // A constant: SQLite needs no copy of it.
        quality.utf8Start.withMemoryRebound(to: CChar.self, capacity: quality.utf8CodeUnitCount) {
          _ = sqlite3_bind_text(insertSample, 9, $0, Int32(quality.utf8CodeUnitCount), nil)
        }
      }
      bind(row.sample.temperatureCelsius, 10)
      bind(row.sample.concentration?.milligramsPerDecilitre, 11)
      if let calibration = row.calibration {
        sqlite3_bind_int64(insertSample, 12, calibration)
      } else {
        sqlite3_bind_null(insertSample, 12)
      }
      sqlite3_bind_int64(insertSample, 13, 0)
      sqlite3_bind_int64(insertSample, 14, change)
      guard sqlite3_step(insertSample) == SQLITE_DONE else { throw failure }
      sqlite3_reset(insertSample)
    }
    try execute("COMMIT")
    for row in rows.others { for value in row.values { sqlite3_value_free(value) } }
  }

  private func bind(_ value: Double?, _ index: Int32) {
    if let value { sqlite3_bind_double(insertSample, index, value) } else { sqlite3_bind_null(insertSample, index) }
  }

  // MARK: What came of it

  func sampleCount() throws -> Int { Int(try texts("SELECT count(*) FROM main.sample").first ?? "") ?? 0 }

  /// True if both have the same samples, and as many rows of the other tables.
  func holdsTheSame() throws -> Bool {
    let columns = """
      wear, ring, minute, glucose, temperature, temperature_adjustment, has_error, error_field, quality, temperature_c,
      glucose_mg_dl, calibration, is_salvaged
      """
    let counts = tables.map { "(SELECT count(*) FROM main.\($0.name)) = (SELECT count(*) FROM ours.\($0.name))" }
    return try texts(
      """
      SELECT (SELECT count(*) FROM main.sample) = (SELECT count(*) FROM ours.sample)
        AND NOT EXISTS (SELECT \(columns) FROM main.sample EXCEPT SELECT \(columns) FROM ours.sample)
        AND \(counts.joined(separator: " AND "))
      """) == ["1"]
  }

  // MARK: SQLite

  private func texts(_ query: String) throws -> [String] {
    let statement = try statement(query)
    defer { sqlite3_finalize(statement) }
    var texts: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW { texts.append(String(cString: sqlite3_column_text(statement, 0))) }
    return texts
  }

  private func statement(_ sql: String) throws -> OpaquePointer {
    var statement: OpaquePointer?
    try check(sqlite3_prepare_v2(database, sql, -1, &statement, nil))
    guard let statement else { throw failure }
    return statement
  }

  private func execute(_ sql: String) throws { try check(sqlite3_exec(database, sql, nil, nil, nil)) }

  private func check(_ status: Int32) throws { guard status == SQLITE_OK else { throw failure } }

  private var failure: Failure { Failure(words: String(cString: sqlite3_errmsg(database))) }
}
