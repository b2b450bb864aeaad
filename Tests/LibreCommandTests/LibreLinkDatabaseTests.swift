// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import CGMModel
  import CSQLite
  import Foundation
  import SensorSimulator
  import TestSupport
  import Testing

  /// LibreLink's database as far as libre reads it.
  private final class LibreLinkFile {
    private var connection: OpaquePointer?
    private struct Failure: Error { let sql: String }

    init(_ path: String) throws {
      guard sqlite3_open(path, &connection) == SQLITE_OK else { throw Failure(sql: path) }
      try execute(LibreLinkTables.sql)
    }

    deinit { sqlite3_close(connection) }

    func execute(_ sql: String) throws {
      guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else { throw Failure(sql: sql) }
    }

    func add(scan bytes: [UInt8], patchInfo: String, at milliseconds: Int) throws {
      let payload = bytes.map { String(format: "%02X", $0) }.joined()
      try execute("INSERT INTO rawScans VALUES (x'\(patchInfo)', x'\(payload)', NULL, 1, \(milliseconds))")
    }

    func add(value: Double, minute: Int, at milliseconds: Int) throws {
      try execute("INSERT INTO historicReadings VALUES (\(value), NULL, \(minute), 1, \(milliseconds))")
    }
  }

  @Suite("LibreLink's database is both a dump and a history") struct LibreLinkDatabaseTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private static let readAt = 1_714_644_900_346

    /// One scan of a simulated sensor at minute 6008, with values of LibreLink from 5535 to 5985, of which 5985 is not the
    /// newest record.
    private func database() throws -> String {
      let path = sandbox.path("sas.db")
      let file = try LibreLinkFile(path)
      let image = SimulatedSensor(seed: 3).image(atAge: 6_008)
      try file.add(scan: image.bytes, patchInfo: "DF0000010100", at: Self.readAt)
      for minute in stride(from: 5_535, through: 5_985, by: 15) {
        try file.add(value: 111, minute: minute, at: Self.readAt / 1_000 * 1_000 - (6_008 - minute) * 60_000)
      }
      try file.execute("INSERT INTO realTimeReadings VALUES (123, NULL, 1, \(Self.readAt / 1_000 * 1_000))")
      try file.execute("INSERT INTO historicErrors VALUES (32768, NULL, 5520, 1, 1)")
      return path
    }

    @Test("decode reads its scans with the UID of the sensor, the patch info and the time")
    func scans() throws {
      let reading = try sandbox.run("decode", try database(), "--json").json()
      #expect(reading["source"]["format"] == .string("librelink"))
      #expect(reading["sensor"]["uid"] == .string("E007A00001234567"), "\(reading["sensor"])")
      #expect(reading["read_at"].text?.hasPrefix("2024-05-02T10:15:00") == true)
      #expect(reading["sensor"]["patch_info"] == .string("DF0000010100"))
    }

    @Test("import stores the scans and LibreLink's own values together, and a second import changes nothing")
    func imported() throws {
      let path = try database()
      let first = try sandbox.run("import", path, "--json").json()
      #expect(first["format"] == .string("librelink") && first["scans"] == .number(1), "\(first)")
      let entries = try sandbox.run("history", "--from", "all", "--ring", "all", "--limit", "1000", "--ndjson").ndjson()
      let own = entries.filter { $0["source"] == .string("librelink") }
      #expect(own.contains { $0["ring"] == .string("trend") && $0["glucose_mg_dl"] == .number(123) })
      #expect(own.contains { $0["ring"] == .string("history") && $0["glucose_mg_dl"] == .number(111) })
      #expect(own.allSatisfy { $0["device"] == .string("0M00028U5DW") })
      let second = try sandbox.run("import", path, "--json").json()
      #expect(second["added"] == .number(0) && second["new_scans"] == .number(0), "\(second)")
    }

    @Test("compare --official compares its values with the scan that each was made from")
    func official() throws {
      let outcome = try sandbox.run("compare", "--official", try database(), "--json")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let document = try outcome.json()
      let factory = document["official"].elements.filter { $0["model"]["calibration"] == .string("factory") }
      try #require(factory.map { $0["values"].text } == ["history", "current"], "\(document)")
      #expect(factory[0]["model"]["n"].number == 31, "\(factory[0])")
    }

    @Test(
      "the public scans of one database, written to a new one, give LibreLink's own 160 history values",
      .enabled(if: ReferenceDumps.areLaterPresent, "\(ReferenceDumps.absence)"))
    func reference() throws {
      let path = sandbox.path("public.db")
      let file = try LibreLinkFile(path)
      let scans = try ReferenceDumps.entries().filter { $0.facts["official"]["history"] != .null }
      for (scan, facts) in scans {
        let age = Int(facts["decoded"]["age"].number ?? 0)
        let time = 1_714_644_900_346 + age * 60_000
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: scan)))
        try file.add(scan: bytes, patchInfo: facts["patchInfo"].text ?? "", at: time)
        for row in facts["official"]["history"].elements {
          let minute = Int(row["minute"].number ?? 0)
          try file.add(value: row["mgdl"].number ?? 0, minute: minute, at: time - (age - minute) * 60_000)
        }
      }
      let document = try sandbox.run("compare", "--official", path, "--json").json()
      let reader = try #require(
        document["official"].elements.first { $0["model"]["calibration"] == .string("reader") }, "\(document)")
      #expect(reader["model"]["n"] == .number(160) && reader["equal"] == .number(160), "\(reader)")
    }

    @Test("a database without LibreLink's tables is neither a dump nor a history, and the error names both tables")
    func other() throws {
      var connection: OpaquePointer?
      let path = sandbox.path("other.db")
      #expect(sqlite3_open(path, &connection) == SQLITE_OK)
      #expect(sqlite3_exec(connection, "CREATE TABLE notes (a)", nil, nil, nil) == SQLITE_OK)
      sqlite3_close(connection)
      let outcome = try sandbox.run("import", path)
      #expect(outcome.status == 65 && outcome.errors.contains("rawScans"), "\(outcome.errors)")
      #expect(try sandbox.run("compare", "--official", path).status != 0)
    }
  }
#endif
