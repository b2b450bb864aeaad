// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import HostSystem
import Testing

@testable import SampleStore

@Suite("A store that was damaged, or changed by another program") final class DamagedStoreTests: StoreTest {
  private static let start = ReadingFixture.start

  private static func imported(_ number: Int, value: Double = 104) -> HistoryEntry {
    .value(SampleID(high: 4, low: UInt64(number)), at: -15 * number, value, device: "phone")
  }

  private static func stick(_ number: Int) -> HistoryEntry {
    .stick(SampleID(high: 3, low: UInt64(number)), at: 30 * number, 100.9, note: "before lunch")
  }

  /// Fills the store with a row in each table.
  private func fill() throws {
    _ = try store.beginImport(of: ["dumps"], at: Self.start)
    _ = try store.add(sensor.scan(500))
    _ = try store.endImport(formats: ["raw"], timeZone: nil)
    _ = try store.removeImport(1)
    _ = try store.add(sensor.other().scan(100))
    try store.forget(try store.only())
    try store.take(sensor.scan(100), sensor.with { $0.altered = [.init(.history, 90): 700] }.scan(101))
    let later = sensor.with { $0.calibration = ReadingFixture.factory(version: 2) }
    _ = try store.add(later.scan(110))
    _ = try store.beginImport(of: ["a.csv"], at: Self.start)
    for number in 1...3 { _ = try store.add(Self.imported(number)) }
    _ = try store.add(sensor.scan(300))
    try store.note(DatedFile(sha256: "AB", timeZone: "Europe/Rome", dateOrder: "day first"))
    var counts = OutcomeCounts()
    counts.reasons = ["error codes": 2]
    _ = try store.endImport(formats: ["libreview"], timeZone: "Europe/Rome", counts: counts)
    for number in 1...4 { _ = try store.add(Self.stick(number)) }
    _ = try store.remove(SampleID(high: 3, low: 4))
    let pressure = BloodPressure(
      id: SampleID(high: 7, low: 1), time: Self.start, systolic: 138, diastolic: 88, mean: 105,
      unit: .millimetresOfMercury, pulse: 60, user: 1, conditions: ["body_moved"], source: "Cuff 1")
    let row = MeterRow(
      key: .sequence(1), value: "138/88", baseTime: CivilTime(Self.start), meterTime: CivilTime(Self.start),
      packets: [[1, 2]], result: .entry(.bloodPressure(pressure)))
    let facts = MeterFacts(
      address: "AA:BB:CC:00:00:01", serial: "7830123", maker: "Ascensia", model: "One", name: "Meter")
    _ = try store.keep([row], from: facts, at: Self.start)
    try store.setUserCalibration(
      UserCalibration(slope: 1.1, intercept: -4, points: [], madeAt: Self.start), sensor: try store.only().id, wear: 1)
    var alert = AlertMemory(countsFrom: Self.start)
    (alert.seen, alert.told, alert.toldAt) = (AlertMemory.Place(wear: "A/1", minute: 90), ["A/1@90"], Self.start)
    alert.snooze = AlertMemory.Snooze(from: Self.start, minutes: 30)
    alert.last = AlertMemory.Words(title: "Glucose is low", text: "62 mg/dL", urgency: 2)
    try store.setAlertMemory(alert, of: "low")
    let sink = try store.enrolled().id
    try store.fillOutbox(of: sink, rings: [.history])
    try store.keep(["user": "7"], of: sink)
    let first = try #require(try store.nextBatch(of: sink, limit: 1))
    let record = SentRecord(id: SampleID(high: 8, low: 1), key: "a", time: Self.start)
    try store.delivered(first.id, at: Self.start, records: [record])
    let batch = try #require(try store.nextBatch(of: sink, limit: 5))
    try store.park([batch.entries[0]], of: batch.id, reason: "400: no", at: Self.start)
    var run = StoredRun(at: Self.start, outcome: "done")
    try store.keep(&run, of: sink)
  }

  /// SQL for another value of a column: one bit or one character more.
  private func other(_ column: String, type: String) -> String {
    """
    CASE typeof(\(column)) WHEN 'integer' THEN \(column) + 7919 WHEN 'real' THEN \(column) * 1.0000000000000002
      WHEN 'text' THEN \(column) || ' ' WHEN 'blob' THEN CAST(\(column) || x'00' AS BLOB)
      ELSE \(["INTEGER": "1", "REAL": "1.0", "TEXT": "''", "BLOB": "x''"][type] ?? "NULL") END
    """
  }

  @Test("a check names each row in which any column was changed, by its lowest bit too")
  func checksums() throws {
    try fill()
    #expect(try store.faults() == [])
    let database = try SQLiteConnection<StoreError>(folder.path(), for: .writing)
    try database.defineChecksum()
    try database.execute("PRAGMA ignore_check_constraints = ON")
    let tables = try ChecksummedTable.all(in: database)
    let names = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
    #expect(try tables.map(\.name) == database.texts(names))
    for table in tables {
      #expect(try database.row("SELECT 1 FROM \(table.name)") != nil, "\(table.name) has no row")
      let key = table.key.joined(separator: ", ")
      let columns = try database.rows("SELECT name, type FROM pragma_table_info('\(table.name)')")
      for column in columns {
        let (name, type) = (column[0].text ?? "", column[1].text ?? "")
        try database.execute(
          """
          BEGIN; UPDATE \(table.name) SET \(name) = \(other(name, type: type))
            WHERE (\(key)) = (SELECT \(key) FROM \(table.name) LIMIT 1)
          """)
        let faults = try table.faults(in: database)
        #expect(faults.count == 1, "\(table.name).\(name)")
        #expect(faults.allSatisfy { $0.hasPrefix("a row of \(table.name) (") })
        try database.execute("ROLLBACK")
      }
    }
  }

  @Test("statistics that another program made, and rows that a recovery could not place, are no damage")
  func analyzed() throws {
    try fill()
    try folder.database().execute("ANALYZE; CREATE TABLE lost_and_found(rootpgno INTEGER, pgno INTEGER, c0)")
    #expect(try SensorStore(folder.path(), for: .reading).faults() == [])
    #expect(try folder.store().add(sensor.scan(200)).added > 0)
  }

  @Test("a stored value, temperature or quality that its counts do not give is found by decoding the memory again")
  func decoded() throws {
    _ = try store.add(sensor.scan(100))
    let id = try store.only().id
    let sample = sensor.sample(.history, 75)
    func difference() throws -> String? {
      try store.difference(from: sample, calibration: sensor.calibration, sensor: id, wear: 1)
    }
    #expect(try difference() == nil)
    let row = "WHERE ring = 0 AND minute = 75"
    let database = try folder.database()
    for (change, words) in [
      ("glucose_mg_dl = glucose_mg_dl + 1", "another value than its counts give"),
      ("temperature_c = 30", "another temperature than its counts give"),
      ("quality = 'error'", "the quality error instead of \(sample.quality.rawValue)"),
    ] {
      try database.execute("CREATE TEMP TABLE kept AS SELECT * FROM sample \(row); UPDATE sample SET \(change) \(row)")
      #expect(try difference() == words)
      try database.execute("DELETE FROM sample \(row); INSERT INTO sample SELECT * FROM kept; DROP TABLE kept")
    }
    // The decimals of an export, and values of an export that has none.
    try database.execute("UPDATE sample SET glucose_mg_dl = round(glucose_mg_dl, 4), temperature_c = NULL \(row)")
    #expect(try difference() == nil)
  }

  @Test(
    "an impossible value of a row is not read, not the newest, not merged, and named by a check",
    arguments: ["9e999", "-9e999", "1e300", "1000.5", "0", "-5"])
  func impossibleRows(number: String) throws {
    _ = try store.add(sensor.scan(100))
    for number in 1...2 { for entry in [Self.imported(number), Self.stick(number)] { _ = try store.add(entry) } }
    try folder.database().execute(
      """
      UPDATE entry SET glucose_mg_dl = \(number) WHERE (kind, time) IN (SELECT kind, max(time) FROM entry GROUP BY kind);
      UPDATE sample SET glucose_mg_dl = \(number) WHERE ring = 0 AND minute = 90;
      """)
    let reading = try SensorStore(folder.path(), for: .reading)
    let entries = try reading.entries(.withFingerSticks).filter { $0.stored == nil }
    #expect(Set(entries) == [Self.imported(2), Self.stick(1)])
    #expect(try reading.newestImport(of: HistoryScope()) == Self.imported(2).time)
    #expect(try reading.newestSample(rings: [.history], isUsable: true)?.minute == SensorMinute(75))
    let sample = try reading.samples().first { $0.sample.ring == .history && $0.sample.minute.value == 90 }
    #expect(try #require(sample).sample.usableConcentration == nil)
    let merged = try folder.store("merged.sqlite")
    let receipt = try merged.merge(reading)
    #expect((receipt.imported, receipt.fingerSticks, receipt.impossible) == (1, 1, 2))
    #expect(try merged.faults() == [] && reading.faults().count { $0.hasSuffix("has an impossible value") } >= 2)
  }

  @Test("a temperature, a correction and a serial number that cannot be are read as missing")
  func others() throws {
    try fill()
    try folder.database().execute(
      """
      UPDATE sample SET temperature_c = 4.17e203; UPDATE user_calibration SET slope = 1e40;
      UPDATE sensor SET serial = char(27) || ']0;x' || char(7);
      """)
    let reading = try SensorStore(folder.path(), for: .reading)
    #expect(try reading.samples().allSatisfy { $0.sample.temperatureCelsius == nil })
    #expect(try reading.onlyWear().userCalibration == nil && reading.only().identity.serial == nil)
  }

  @Test("rows that are not in their order, as where the pages of a file lead in a circle, end a query as damage")
  func order() throws {
    _ = try store.add(sensor.scan(1_000))
    try folder.database().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let file = URL(fileURLWithPath: folder.path())
    var bytes = [UInt8](try Data(contentsOf: file))
    // The key of a row of the table, which holds its minute in two bytes: 992 becomes 1.
    for place in bytes.indices.dropLast() where bytes[place] == 0x03 && bytes[place + 1] == 0xE0 {
      bytes.replaceSubrange(place...place + 1, with: [0, 1])
    }
    try Data(bytes).write(to: file)
    let reading = try SensorStore(folder.path(), for: .reading)
    #expect(throws: StoreError.corrupt(path: folder.path(), words: "rows are not in their order")) {
      try reading.samples()
    }
  }

  @Test(
    "a store whose tables, indices or triggers are not libre's is refused, and the error names the first",
    arguments: [
      ("forgotten", "DROP TABLE forgotten; CREATE VIEW forgotten AS SELECT 1 AS uid"),
      ("history", "DROP VIEW history"), ("history", "DROP VIEW history; CREATE VIEW history AS SELECT 1 AS time"),
      ("evil", "CREATE TRIGGER evil AFTER INSERT ON scan BEGIN DELETE FROM sample; END"),
      ("evil", "CREATE TABLE evil (x)"), ("evil", "CREATE VIEW evil AS SELECT 1"),
      ("entry", "ALTER TABLE entry ADD COLUMN y INTEGER AS (abs(time)) VIRTUAL"),
      ("entry_time", "DROP INDEX entry_time"),
      ("entry_time", "DROP INDEX entry_time; CREATE INDEX entry_time ON entry (abs(time))"),
      ("meter", "ALTER TABLE meter RENAME TO metre"),
    ])
  func foreignSchema(name: String, change: String) throws {
    _ = try store.add(sensor.scan(100))
    let database = try folder.database()
    try database.execute(change)
    for access in [SensorStore.Access.reading, .writing] {
      do {
        _ = try SensorStore(folder.path(), for: access)
        Issue.record("it was opened")
      } catch StoreError.foreignSchema(let path, let words) {
        #expect(path == folder.path() && words.contains(name), "\(words)")
      }
    }
  }

  @Test("a header without a schema number is damage, and not a store that does not exist", arguments: [0, -3])
  func damagedHeader(number: Int) throws {
    _ = try store.add(sensor.scan(100))
    try folder.database().execute("PRAGMA user_version = \(number)")
    try folder.expectRefused { .corrupt(path: $0, words: "its header has the impossible schema number \(number)") }
  }
}
