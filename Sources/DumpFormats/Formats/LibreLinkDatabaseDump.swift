// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import CGMModel
  import SQLiteAccess

  /// The database of Abbott's LibreLink app, `sas.db`: every scan as the sensor sent it.
  ///
  /// | table `rawScans` | |
  /// |---|---|
  /// | `timestampUTC` | milliseconds since 1970, when the phone read the sensor |
  /// | `payload` | the 344 bytes, encrypted where the sensor encrypts them |
  /// | `patchInfo` | six bytes |
  /// | `sensorId` | the row of `sensors`, whose `uniqueIdentifier` is the UID, last byte first |
  ///
  /// (read: LBridgeApp/LBridge, `LibreLinkDatabase.java`, `RawScanRow.java` and `PatchUID.java`, a program that writes
  /// to this database; the columns of version 8.) The values that LibreLink computed from the scans are a history
  /// format of the same name.
  public struct LibreLinkDatabaseDump: DumpFormat {
    public init() {}

    public let name = "librelink"
    public let summary = "LibreLink's database sas.db (SQLite): its scans; import takes its values too"

    private static let table = ScanTable(
      name: "rawScans", time: "timestampUTC", bytes: "payload", facts: ["sensorId", "patchInfo"])

    public func dumps(in file: DumpFile) throws(DumpError) -> DumpSequence {
      try DumpSequence(Self.table, in: file) { database throws(DumpError) in
        let uids = try Self.uids(in: database)
        return { image, facts, table throws(DumpError) in
          let uid = facts[0].integer.flatMap { uids[$0] } ?? .null
          return try table.dump(of: image, uid: uid, in: "sensors.uniqueIdentifier", patchInfo: facts[1])
        }
      }
    }

    /// Returns the UID of each sensor; empty if the database does not have a table of sensors.
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
