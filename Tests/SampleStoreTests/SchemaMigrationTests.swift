// SPDX-License-Identifier: Apache-2.0
import CGMModel
import SQLiteAccess
import Testing

@testable import SampleStore

/// A store of each earlier schema is made of a full store of today: the earlier migrations, and the columns that they have.
@Suite("A store of every earlier schema") struct SchemaMigrationTests {
  private typealias Database = SQLiteConnection<SQLiteFailure>

  private static let earlier = 1..<Schema.migrations.count
  private static let start = ReadingFixture.start
  private static let all = HistoryQuery.of { $0.includesFingerSticks = true }

  private let folder: StoreFolder
  private let sensor = ReadingFixture()

  init() throws { folder = try StoreFolder() }

  /// Fills a store with a row of every kind that the first schema knows, and with a sink.
  private func fill(_ store: SensorStore) throws {
    _ = try store.add(sensor.scan(100))
    _ = try store.add(sensor.scan(1_000))
    _ = try store.add(
      sensor.with { $0.altered = [.init(.history, 990): 700] }.with { $0.calibration = nil }.scan(1_001))
    for number in 1...3 {
      let concentration = GlucoseConcentration(milligramsPerDecilitre: 250 + Double(number))
      _ = try store.add(
        .imported(
          ImportedSample(
            id: SampleID(high: 4, low: UInt64(number)), source: "libreview", device: "phone", ring: .history,
            time: Self.start.adding(minutes: -15 * number), concentration: concentration,
            bound: number == 3 ? .high : nil)))
      _ = try store.add(
        .fingerStick(
          FingerStick(
            id: SampleID(high: 3, low: UInt64(number)), time: Self.start.adding(minutes: 30 * number),
            concentration: concentration, note: "before lunch", source: nil)))
    }
    let sensor = try store.only()
    try store.setUserCalibration(
      UserCalibration(slope: 1.1, intercept: -4, points: [], madeAt: Self.start), sensor: sensor.id, wear: 1)
    try store.enrol("site", receiver: "test", at: Self.start, sendsFrom: Self.start)
    let sink = try #require(try store.sink("site")).id
    try store.fillOutbox(of: sink, rings: [.history])
    let batch = try #require(try store.nextBatch(of: sink, limit: 5))
    try store.park([batch.entries[0]], of: batch.id, reason: "400: no", at: Self.start)
  }

  /// Makes a store with the first `version` migrations, and with what they can hold of the full store.
  private func makeStore(of version: Int) throws -> Database {
    try fill(try folder.store("full.sqlite"))
    return try folder.older(version: version, of: "full.sqlite")
  }

  /// Returns every row of the tables, by table, in the columns that are named.
  private func content(_ columns: [String: [String]], in database: Database) throws -> [String: Set<[SQLiteValue]>] {
    var content: [String: Set<[SQLiteValue]>] = [:]
    for (table, names) in columns {
      content[table] = Set(try database.rows("SELECT \(names.joined(separator: ", ")) FROM \(table)"))
    }
    return content
  }

  /// Returns the columns of all tables with their types and defaults, and the names of indices and triggers.
  private func shape(_ database: Database) throws -> Set<[SQLiteValue]> {
    Set(
      try database.rows(
        """
        SELECT m.name, c.name, c.type, c."notnull", c.dflt_value, c.pk
        FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table'
        UNION ALL SELECT type, name, tbl_name, 0, NULL, 0 FROM sqlite_master WHERE type <> 'table'
        """))
  }

  @Test("shows the same values as before, and is not changed by reading", arguments: earlier)
  func readable(version: Int) throws {
    let database = try makeStore(of: version)
    let full = try SensorStore(folder.path("full.sqlite"), for: .reading)
    let reading = try SensorStore(folder.path(), for: .reading)
    #expect(try reading.entries(Self.all) == full.entries(Self.all) && full.entries(Self.all).count > 60)
    #expect(try reading.userCalibrations().map(\.2) == full.userCalibrations().map(\.2))
    #expect(try reading.sinks().map(\.name) == (version < Schema.firstWithOutbox ? [] : ["site"]))
    #expect(try reading.faults() == [])
    #expect(try database.row("PRAGMA user_version")?.first == .integer(Int64(version)))
  }

  @Test("is converted by the first write without losing a row, and has the tables of a new store", arguments: earlier)
  func converted(version: Int) throws {
    let database = try makeStore(of: version)
    var known: [String: [String]] = [:]
    for table in try database.texts("SELECT name FROM sqlite_master WHERE type = 'table'") {
      known[table] = try database.columns(of: table)
    }
    let before = try content(known, in: database)
    let shown = try SensorStore(folder.path(), for: .reading).entries(Self.all)
    for table in ["sample", "scan", "imported", "finger_stick", "conflict", "user_calibration"] {
      #expect(before[table]?.isEmpty == false, "\(table)")
    }

    let store = try folder.store()
    #expect(try database.row("PRAGMA user_version")?.first == .integer(Int64(Schema.migrations.count)))
    #expect(try content(known, in: database) == before)
    #expect(try shape(database) == shape(folder.database("full.sqlite")))
    #expect(try store.entries(Self.all) == shown && store.faults() == [])
    // And it is used like any other.
    #expect(try store.add(sensor.scan(1_100)).added > 0)
    try store.enrol("other", receiver: "test", at: Self.start, sendsFrom: Self.start)
    let sink = try #require(try store.sink("other")).id
    try store.fillOutbox(of: sink, rings: [.history])
    #expect(try store.nextBatch(of: sink, limit: 5)?.entries.count == 5)
    let merged = try folder.store("merged.sqlite")
    _ = try merged.merge(try SensorStore(folder.path(), for: .reading))
    #expect(try merged.remembered() == store.remembered())
  }
}
