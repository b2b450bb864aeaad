// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import CGMModel
  import Foundation
  import HostSystem
  import Libre1Core
  import TestSupport
  import Testing

  /// LibreLink's database as far as libre reads it.
  struct LibreLinkFile {
    private let connection: SQLiteConnection<SQLiteFailure>

    init(_ path: String) throws {
      connection = try SQLiteConnection(path, for: .creating)
      try execute(LibreLinkTables.sql)
    }

    func execute(_ sql: String) throws { try connection.execute(sql) }

    func add(scan bytes: [UInt8], patchInfo: String, at milliseconds: Int) throws {
      let payload = bytes.map { String(format: "%02X", $0) }.joined()
      try execute("INSERT INTO rawScans VALUES (x'\(patchInfo)', x'\(payload)', NULL, 1, \(milliseconds))")
    }

    /// Leaves the records of the newest scan, at minute 6008, as all that there is of it.
    func keep(_ state: LibreLinkState, at milliseconds: Int) throws {
      let bytes = state.bytes.map { String(format: "%02X", $0) }.joined()
      try execute(
        """
        DELETE FROM rawScans;
        UPDATE sensors SET measurementState = x'\(bytes)', lastScanSampleNumber = 6008,
          lastScanTimestampUTC = \(milliseconds), initialPatchInformation = x'DF0000010100'
        """)
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
    private func database(_ change: (LibreLinkFile) throws -> Void = { _ in }) throws -> String {
      let path = sandbox.path("sas.db")
      let file = try LibreLinkFile(path)
      let image = Self.sensor.image(atAge: 6_008)
      try file.add(scan: image.bytes, patchInfo: "DF0000010100", at: Self.readAt)
      for minute in stride(from: 5_535, through: 5_985, by: 15) {
        try file.add(value: 111, minute: minute, at: Self.readAt / 1_000 * 1_000 - (6_008 - minute) * 60_000)
      }
      try file.execute("INSERT INTO realTimeReadings VALUES (123, NULL, 1, \(Self.readAt / 1_000 * 1_000))")
      try file.execute("INSERT INTO historicErrors VALUES (32768, NULL, 5520, 1, 1)")
      try change(file)
      return path
    }

    /// The same database without the scan.
    private func databaseOfRecords(
      _ state: LibreLinkState = LibreLinkDatabaseTests.keptState, _ more: String = ""
    ) throws -> String {
      try database { file in
        try file.keep(state, at: Self.readAt)
        try file.execute(more)
      }
    }

    private static let sensor = SimulatedSensor(seed: 3)
    private static let keptState: LibreLinkState = LibreLinkState(sensor, newestTrend: 6_007, newestHistory: 6_000)

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

    @Test("decode shows the records that the app kept of a scan: counts, times and ids, and nothing that is not known")
    func records() throws {
      let scan = try sandbox.run("decode", try database(), "--json").json()
      try FileManager.default.removeItem(atPath: sandbox.path("sas.db"))
      let path = try databaseOfRecords()
      let reading = try sandbox.run("decode", path, "--json").json()
      #expect(reading["problems"].elements.map { $0["code"] } == [.string("records_only")])
      for name in ["read_at", "source.format", "sensor.uid", "sensor.serial", "sensor.patch_info", "sensor.family"] {
        let (mine, its) = name.split(separator: ".").reduce((reading, scan)) { ($0.0[String($1)], $0.1[String($1)]) }
        #expect(mine == its && mine != .null, "\(name)")
      }
      #expect(reading["sensor"]["age_minutes"] == .number(6_008) && reading["sensor"]["state"] == .string("unknown"))
      #expect(["header", "body", "footer"].allSatisfy { reading["integrity"][$0] == .string("absent") })
      #expect(reading["memory"]["bytes"] == .string(""))
      #expect(reading["current"] == .null && reading["calibration"] == .null)
      for ring in ["trend", "history"] {
        let (kept, measured) = (reading[ring].elements, scan[ring].elements)
        try #require(kept.count == measured.count && !kept.isEmpty)
        for name in ["id", "ring", "minute", "time"] { #expect(kept.map { $0[name] } == measured.map { $0[name] }) }
        for name in ["glucose", "temperature", "temperature_adjustment", "has_error"] {
          #expect(kept.map { $0["raw"][name] } == measured.map { $0["raw"][name] }, "\(name)")
        }
        for name in ["glucose_mg_dl", "temperature_c"] { #expect(kept.allSatisfy { $0[name] == .null }) }
        #expect(kept.allSatisfy { $0["raw"]["error_field"] == .null })
      }
      let text = try sandbox.run("decode", path).text
      #expect(text.contains("the app kept only the records of the scan, not the sensor's memory"))
      #expect(text.contains("header absent, body absent, footer absent"), "\(text)")
    }

    @Test("what needs the memory is refused for such records, and the error says what shows them")
    func recordsOnly() throws {
      let path = try databaseOfRecords()
      for arguments in [["convert", path, "--to", "hex"], ["inspect", path], ["compare", "--memories", path]] {
        let outcome = try sandbox.run(arguments)
        #expect(outcome.status == 65 && outcome.errors.contains("the app kept only the records"), "\(outcome.errors)")
        #expect(outcome.errors.contains("libre decode FILE shows the records"), "\(arguments)")
      }
    }

    @Test(
      "import takes the app's own values without a scan, and says which scans it left out",
      arguments: [
        (LibreLinkDatabaseTests.keptState, "", 1), (LibreLinkState(), "UPDATE sensors SET measurementState = NULL", 0),
      ])
    func importedRecords(state: LibreLinkState, change: String, leftOut: Int) throws {
      let path = try databaseOfRecords(state, change)
      let outcome = try sandbox.run("import", path, "--json")
      let document = try outcome.json()
      #expect(outcome.status == 0 && document["added"] == .number(32) && document["scans"] == .number(0), "\(document)")
      #expect(document["left_out"] == .number(Double(leftOut)))
      let entries = try sandbox.run("history", "--from", "all", "--ring", "all", "--limit", "1000", "--ndjson").ndjson()
      #expect(entries.count == 32 && entries.allSatisfy { $0["source"] == .string("librelink") })
      let second = try sandbox.run("import", path)
      #expect(second.text.contains("0 new values, 32 known"), "\(second.text)")
      #expect(second.text.contains("see libre decode FILE") == (leftOut > 0))
    }

    @Test("as a reference of compare it gives the app's values unrounded, with and without the scan")
    func reference() throws {
      let own = "UPDATE historicReadings SET glucoseValue = 111.30000305175781"
      try sandbox.done("import", try database { try $0.execute(own) })
      for isScanThere in [true, false] {
        try FileManager.default.removeItem(atPath: sandbox.path("sas.db"))
        let path = isScanThere ? try database { try $0.execute(own) } : try databaseOfRecords(Self.keptState, own)
        let outcome = try sandbox.run("compare", path, "--within", "0", "--csv", "--calibration", "factory")
        // The value at the scan is a minute after the newest sample.
        #expect(outcome.status == 0 && outcome.lines.count == 32, "\(outcome.errors) \(outcome.text)")
        let references = outcome.lines.dropFirst().map { $0.split(separator: ",")[2] }
        #expect(Set(references) == ["111.3"], "\(references)")
      }
    }

    @Test("compare --official compares its values with the scan that each was made from")
    func official() throws {
      let outcome = try sandbox.done("compare", "--official", try database(), "--json")
      let document = try outcome.json()
      let factory = document["official"].elements.filter { $0["model"]["calibration"] == .string("factory") }
      try #require(factory.map { $0["values"].text } == ["history", "current"], "\(document)")
      #expect(factory[0]["model"]["n"].number == 31, "\(factory[0])")
    }
  }
#endif
