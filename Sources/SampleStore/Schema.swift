// SPDX-License-Identifier: Apache-2.0
import HostSystem

/// The tables of the store, and the check that a file has exactly them.
///
/// | table | a row is |
/// |---|---|
/// | `store` | the store's id and the number of its last change |
/// | `sensor` | a sensor, by UID, or by fingerprint until the UID is known |
/// | `wear` | one life of a sensor, with its activation instant; restarting begins the next. `doubt`: the reason why the start may be wrong (`StartDoubt`). Samples up to the minute `removed_until` were deleted for their age. `shown_change` is the last change of the display of its values, which does not affect sent values |
/// | `scan` | a reading, with its memory |
/// | `sample` | a ring's content for a minute: the identity is (wear, ring, minute). Times are not stored, but computed from the wear |
/// | `calibration` | a model with its numbers |
/// | `revision` | a sample's value by another calibration than the factory's |
/// | `conflict` | other counts for a minute that already has a sample |
/// | `user_calibration` | slope and offset over the factory value, with the finger-sticks used to compute them |
/// | `entry` | an imported value, a finger-stick or a blood pressure, by its id. `kind` is an `EntryKind` |
/// | `deleted_sample`, `deleted_entry`, `deleted_scan` | removals: a sample by its sensor, anything else by its id. The first two are passed on to receivers |
/// | `forgotten` | UIDs of removed sensors, which a merge does not restore |
/// | `import` | one run of `libre import` or `libre store merge`; a number is never reused. `formats` is NULL until the import is complete |
/// | `import_file`, `import_left_out` | a file or directory as typed; the number of values left out, by reason |
/// | `import_dating` | how the local times of a file were read, so that the same file with another zone is recognised |
/// | `scan_import`, `sample_import`, `entry_import` | a row of that table that the import contains; `RowOrigin` has the rule |
/// | `sink` | a receiver, with the user's name for it; an id is never reused. Removals and changes up to `removal_cursor` are in `sent` |
/// | `sink_kind` | a kind of entries of a sink: a ring, or an `EntryKind`. Changes up to `cursor` were put in the outbox; what the sink does not get now is held there |
/// | `sink_memory` | values returned by a receiver, such as the id of a user or a data set. No secrets |
/// | `outbox` | an entry queued for a sink: a sample by (wear, kind, minute), where `kind` is its ring, or a row of `entry` with its time. With `waiting_since` it had no value yet by the sink's calibration at that change; with `parked_for` it is parked, with the receiver's reason; with `is_held` it is not sent now |
/// | `batch` | entries of the outbox that are sent together, again with the same key after a failure |
/// | `sent` | a record at a receiver that can delete it, by our id and the receiver's key. `state` 1: to be deleted there; 2: the receiver refused to delete it |
/// | `meter` | a Bluetooth meter, by its serial number, or by its address until the serial number is known |
/// | `meter_record` | a record of a meter: with `entry` the id of the entry made of it, otherwise with the reason why it was left aside |
/// | `history` | a view for people: the entries with glucose, with the names and units of `libre.sample/1` |
///
/// Times are seconds since 1970. `change` numbers transactions: changes after an anchor have higher numbers. Each row has
/// a `checksum` of its other columns: `ChecksummedTable`.
///
/// `stays` says what can restore a removed row: any source (`never`), a scan or an import but not a merge (`merged`), or
/// only the user typing a finger-stick (`always`).
///
/// A record of a meter is identified by its meter and `key`: its sequence number, or its content for a cuff, which has no
/// numbers. A changed clock does not make it another record. After a fault a meter may begin again with its first
/// number: a record with the same `key` but another `value`, or made more than two days apart by the meter's inner
/// clock, `base_time`, is another one and gets the next `ordinal`. `highest_sequence` and `probe_packet` are the record
/// from which the next reading continues, and by which it notices that the numbers were set back. A record stays when
/// its entry is removed, so that the next reading does not restore it.
enum Schema {
  /// `LIBR`: marks the database as libre's (SQLite's `application_id`).
  static let applicationID = 0x4C49_4252
  /// Number of the schema (SQLite's `user_version`).
  static let version = 1

  /// The statements that create the store, each for one table, index or view.
  static let statements = storeTables + outboxTables

  private static let objects = Dictionary(uniqueKeysWithValues: statements.map { (name(of: $0), $0) })

  private static func name(of statement: String) -> String {
    let words = statement.split(separator: " ", maxSplits: 4)
    return String(words[words[1] == "UNIQUE" ? 3 : 2])
  }

  /// True for a store, false for an empty database.
  /// - Throws: `notAStore`, `corrupt`, `earlierSchema`, `newerSchema` or `foreignSchema` for anything else; `path` is
  /// named by the error.
  static func isStore(_ database: StoreConnection, path: String) throws(StoreError) -> Bool {
    // All is read at one moment: another process may be creating the store.
    try database.execute("BEGIN")
    defer { try? database.execute("COMMIT") }
    let found = try number("user_version", of: database)
    if found == 0, try database.row("SELECT 1 FROM sqlite_master LIMIT 1") == nil { return false }
    guard try number("application_id", of: database) == applicationID else { throw .notAStore(path: path) }
    // Every development version before 0.1.0 had this table, and schemas 1 to 7.
    if try database.row("SELECT 1 FROM sqlite_master WHERE name = 'finger_stick'") != nil {
      throw .earlierSchema(path: path)
    }
    if found > version { throw .newerSchema(path: path, found: found, known: version) }
    guard found == version else {
      throw .corrupt(path: path, words: "its header has the impossible schema number \(found)")
    }
    if let words = try difference(in: database) { throw .foreignSchema(path: path, words: words) }
    return true
  }

  /// Makes a store of an empty database in one transaction, unless another process has just done so.
  static func create(in database: StoreConnection) throws(StoreError) {
    try database.execute("BEGIN IMMEDIATE")
    if try number("user_version", of: database) == 0 {
      for statement in statements { try database.execute(statement) }
      let checksum = ChecksummedTable.checksum("id, change, removed_before")
      try database.execute(
        """
        INSERT INTO store (id, change) VALUES (randomblob(8), 0);
        UPDATE store SET \(ChecksummedTable.column) = \(checksum);
        PRAGMA user_version = \(version);
        PRAGMA application_id = \(applicationID)
        """)
    }
    try database.execute("COMMIT")
  }

  /// Returns in words what a file has instead of the objects of the schema; nil for a file with exactly these.
  ///
  /// SQLite runs what a schema says: a view in place of a table may have rows without end, and triggers, generated columns
  /// and indices of expressions run with the statements that use a table. So a store is opened only if it has the objects
  /// that libre creates, and no others.
  private static func difference(in database: StoreConnection) throws(StoreError) -> String? {
    var missing = objects
    let rows = try database.statement("SELECT name, sql FROM sqlite_master ORDER BY name")
    while let row = try rows.next() {
      let (name, sql) = (row[0].text ?? "", row[1].text)
      if isOfSQLite(name, sql) { continue }
      guard let sql, missing.removeValue(forKey: name) == sql else {
        return "libre did not create \(name) as it is there"
      }
    }
    return missing.keys.min().map { "\($0) is missing" }
  }

  /// True for an automatic index, the table of the highest row numbers, the statistics of ANALYZE, and the rows that
  /// `.recover` could not place.
  private static func isOfSQLite(_ name: String, _ sql: String?) -> Bool {
    guard let sql else { return name.hasPrefix("sqlite_autoindex_") }
    return ["sqlite_sequence", "sqlite_stat1", "sqlite_stat4", "lost_and_found"].contains(name)
      && sql.hasPrefix("CREATE TABLE \(name)(")
  }

  private static func number(_ pragma: String, of database: StoreConnection) throws(StoreError) -> Int {
    Int(try database.row("PRAGMA \(pragma)")?.first?.integer ?? 0)
  }
}
