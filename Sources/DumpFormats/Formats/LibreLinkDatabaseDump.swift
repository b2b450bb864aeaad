// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import CGMModel
  import HostSystem

  /// The database of Abbott's LibreLink app, `sas.db`: every scan as the sensor sent it (DumpFormats/Formats,
  /// "LibreLink database"), or what is left of the newest ("Records without a memory"). The values that LibreLink
  /// computed from the scans are a history format of the same name.
  struct LibreLinkDatabaseDump: DumpFormat {
    let name = "librelink"
    let summary = "LibreLink's database sas.db (SQLite): its scans; import takes its values too"

    private static let scans = ScanTable(
      name: "rawScans", time: "timestampUTC", bytes: "payload", required: ["timestampUTC"],
      facts: ["sensorId", "patchInfo"])

    private static let states = ScanTable(
      name: "sensors", time: "lastScanTimestampUTC", bytes: "measurementState", required: ["sensorId"],
      facts: ["uniqueIdentifier", "lastScanSampleNumber", "initialPatchInformation"],
      condition: "length(measurementState) > 0")

    func dumps(in file: DumpFile) throws(DumpError) -> DumpSequence {
      let database = try file.database()
      let hasScans = try database.columns(ofForeignTable: Self.scans.name).map { $0["sensorid"] != nil }
      var states = try Self.states(in: database, haveScans: hasScans)
      if hasScans == nil, let states { return states }
      let uids = try Self.uids(in: database)
      var scans = try DumpSequence(Self.scans, in: database) { row, table throws(DumpError) in
        let uid = row.facts[0].integer.flatMap { uids[$0] } ?? .null
        return try table.dump(of: row, uid: uid, in: Self.uidColumn, patchInfo: row.facts[1])
      }
      return DumpSequence { scans.next() ?? states?.next() }
    }

    private static let uidColumn = "sensors.uniqueIdentifier"

    /// The records that are left of sensors without a scan; nil without a column of them. `haveScans` is nil without
    /// the table of scans, and false if that does not name the sensors.
    private static func states(in database: DumpDatabase, haveScans: Bool?) throws(DumpError) -> DumpSequence? {
      guard let columns = try database.columns(ofForeignTable: Self.states.name),
        columns[Self.states.bytes.lowercased()] != nil
      else { return nil }
      var table = Self.states
      switch haveScans {
      // A set, so that a database of many rows is not searched for each sensor.
      case true?:
        table.condition?.append(" AND sensorId NOT IN (SELECT sensorId FROM rawScans WHERE sensorId IS NOT NULL)")
      case false?: table.condition?.append(" AND NOT EXISTS (SELECT 1 FROM rawScans)")
      case nil: break
      }
      return try DumpSequence(table, in: database) { row, table throws(DumpError) in
        let state = try MeasurementState(row.bytes, column: "\(table.name).\(table.bytes)")
        let sampleNumber = row.facts[1].integer.flatMap { Int(exactly: $0) }
        let records = AppRecords(state, sampleNumber: sampleNumber)
        let image = MemoryImage(
          bytes: [], patchInfo: Self.patchInfo(row.facts[2]), readAt: records.areOfScan(sampleNumber) ? row.readAt : nil
        )
        var dump = try table.dump(of: image, uid: row.facts[0], in: Self.uidColumn)
        dump.records = records
        dump.label = [dump.label, "records only"].compactMap(\.self).joined(separator: ", ")
        return dump
      }
    }

    private static func patchInfo(_ value: SQLiteValue) -> PatchInfo? {
      guard let bytes = value.blob, bytes.count == 6, let patchInfo = PatchInfo(bytes), patchInfo.family != .unknown
      else { return nil }
      return patchInfo
    }

    /// The UID of each sensor; empty if the database does not have a table of sensors.
    private static func uids(in database: DumpDatabase) throws(DumpError) -> [Int64: SQLiteValue] {
      let columns = try database.columns(ofForeignTable: "sensors") ?? [:]
      guard columns["sensorid"] == true, columns["uniqueidentifier"] == true else { return [:] }
      let rows = try database.statement("SELECT sensorId, uniqueIdentifier FROM sensors LIMIT \(maximumSensors)")
      var uids: [Int64: SQLiteValue] = [:]
      while let row = try rows.next() {
        if let sensor = row[0].integer { uids[sensor] = row[1] }
      }
      return uids
    }

    /// The maximum number of sensors, more than one person wears in a life.
    private static let maximumSensors = 10_000
  }
#endif
