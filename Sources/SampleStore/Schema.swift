// SPDX-License-Identifier: Apache-2.0
import SQLiteAccess

/// The tables of the store, and the check that a file has exactly them.
///
/// | table | a row is |
/// |---|---|
/// | `store` | the store's id and the number of its last change |
/// | `sensor` | a sensor, by UID, or by fingerprint until the UID is known |
/// | `wear` | one life of a sensor, with its activation instant; restarting begins the next. `is_provisional`: a start known only from a file's modification time. Samples up to the minute `removed_until` were deleted for their age. `shown_change` is the last change of the display of its values, which does not affect sent values |
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
  static let statements = [
    """
    CREATE TABLE store (
      id BLOB NOT NULL,
      change INTEGER NOT NULL,
      removed_before INTEGER,
      checksum INTEGER
    ) STRICT
    """,
    """
    CREATE TABLE sensor (
      id INTEGER PRIMARY KEY,
      uid TEXT UNIQUE CHECK (length(uid) = 16),
      fingerprint TEXT CHECK (length(fingerprint) = 32),
      serial TEXT,
      family TEXT NOT NULL,
      region TEXT,
      patch_info TEXT,
      max_life_minutes INTEGER,
      footer BLOB,
      checksum INTEGER,
      CHECK (uid IS NOT NULL OR fingerprint IS NOT NULL)
    ) STRICT
    """,
    "CREATE INDEX sensor_fingerprint ON sensor (fingerprint)",
    """
    CREATE TABLE wear (
      id INTEGER PRIMARY KEY,
      sensor INTEGER NOT NULL REFERENCES sensor (id),
      number INTEGER NOT NULL CHECK (number BETWEEN 1 AND 65535),
      activated_at INTEGER,
      anchored_by TEXT CHECK (anchored_by IN ('scan', 'history', 'user')),
      anchor_read_at INTEGER,
      is_provisional INTEGER NOT NULL DEFAULT 0,
      removed_until INTEGER NOT NULL DEFAULT 0,
      shown_change INTEGER NOT NULL DEFAULT -1,
      checksum INTEGER,
      UNIQUE (sensor, number)
    ) STRICT
    """,
    "CREATE INDEX wear_activated_at ON wear (activated_at)",
    """
    CREATE TABLE scan (
      number INTEGER PRIMARY KEY,
      id BLOB NOT NULL UNIQUE,
      sensor INTEGER NOT NULL REFERENCES sensor (id),
      wear INTEGER REFERENCES wear (id),
      uid TEXT,
      read_at INTEGER,
      read_at_source TEXT NOT NULL,
      is_dating INTEGER NOT NULL,
      time_zone TEXT,
      state TEXT NOT NULL,
      age_minutes INTEGER NOT NULL,
      memory BLOB NOT NULL,
      missing_blocks TEXT NOT NULL,
      lacks_footer INTEGER NOT NULL,
      is_salvaged INTEGER NOT NULL,
      tool TEXT NOT NULL,
      path TEXT,
      format TEXT,
      dump INTEGER,
      sha256 TEXT NOT NULL,
      reader_address TEXT,
      reader_name TEXT,
      reader_dialect TEXT,
      checksum INTEGER
    ) STRICT
    """,
    "CREATE INDEX scan_wear ON scan (wear, age_minutes, read_at)",
    "CREATE INDEX scan_sensor ON scan (sensor)",
    "CREATE INDEX scan_lacks_footer ON scan (sensor) WHERE lacks_footer",
    """
    CREATE TABLE calibration (
      id INTEGER PRIMARY KEY,
      model TEXT NOT NULL,
      version INTEGER NOT NULL,
      parameters TEXT NOT NULL,
      checksum INTEGER,
      UNIQUE (model, version, parameters)
    ) STRICT
    """,
    """
    CREATE TABLE sample (
      wear INTEGER NOT NULL REFERENCES wear (id),
      ring INTEGER NOT NULL CHECK (ring IN (0, 1)),
      minute INTEGER NOT NULL CHECK (minute BETWEEN 1 AND 65535),
      glucose INTEGER NOT NULL,
      temperature INTEGER NOT NULL,
      temperature_adjustment INTEGER NOT NULL,
      has_error INTEGER NOT NULL,
      error_field INTEGER NOT NULL,
      quality TEXT NOT NULL,
      temperature_c REAL,
      glucose_mg_dl REAL,
      calibration INTEGER REFERENCES calibration (id),
      is_salvaged INTEGER NOT NULL,
      change INTEGER NOT NULL,
      checksum INTEGER,
      PRIMARY KEY (wear, ring, minute),
      CHECK (NOT has_error OR quality = 'error' AND glucose_mg_dl IS NULL)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX sample_change ON sample (change)",
    """
    CREATE TABLE revision (
      wear INTEGER NOT NULL,
      ring INTEGER NOT NULL,
      minute INTEGER NOT NULL,
      calibration INTEGER NOT NULL REFERENCES calibration (id),
      glucose_mg_dl REAL,
      change INTEGER NOT NULL,
      checksum INTEGER,
      PRIMARY KEY (wear, ring, minute, calibration),
      FOREIGN KEY (wear, ring, minute) REFERENCES sample (wear, ring, minute) ON DELETE CASCADE ON UPDATE CASCADE
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX revision_change ON revision (change)",
    """
    CREATE TABLE conflict (
      wear INTEGER NOT NULL,
      ring INTEGER NOT NULL,
      minute INTEGER NOT NULL,
      glucose INTEGER NOT NULL,
      temperature INTEGER NOT NULL,
      temperature_adjustment INTEGER NOT NULL,
      has_error INTEGER NOT NULL,
      error_field INTEGER NOT NULL,
      is_salvaged INTEGER NOT NULL,
      checksum INTEGER,
      PRIMARY KEY (wear, ring, minute, glucose, temperature, temperature_adjustment, has_error, error_field),
      FOREIGN KEY (wear, ring, minute) REFERENCES sample (wear, ring, minute) ON DELETE CASCADE ON UPDATE CASCADE
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE user_calibration (
      wear INTEGER PRIMARY KEY REFERENCES wear (id),
      slope REAL NOT NULL,
      intercept REAL NOT NULL,
      points TEXT NOT NULL,
      made_at INTEGER NOT NULL,
      checksum INTEGER
    ) STRICT
    """,
    """
    CREATE TABLE entry (
      id BLOB PRIMARY KEY,
      kind INTEGER NOT NULL CHECK (kind IN (2, 3, 4)),
      time INTEGER NOT NULL,
      source TEXT,
      device TEXT,
      ring INTEGER CHECK (ring IN (0, 1)),
      glucose_mg_dl REAL,
      bound TEXT CHECK (bound IN ('low', 'high')),
      note TEXT,
      systolic REAL,
      diastolic REAL,
      mean REAL,
      unit TEXT CHECK (unit IN ('mmHg', 'kPa')),
      pulse REAL,
      user INTEGER,
      conditions TEXT,
      change INTEGER NOT NULL,
      checksum INTEGER,
      CHECK ((kind = 2) = (ring IS NOT NULL)),
      CHECK ((kind = 4) = (glucose_mg_dl IS NULL)),
      CHECK ((kind = 4) = (systolic IS NOT NULL AND diastolic IS NOT NULL AND unit IS NOT NULL))
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX entry_time ON entry (kind, time)",
    "CREATE INDEX entry_change ON entry (kind, change)",
    """
    CREATE TABLE deleted_sample (
      uid TEXT NOT NULL,
      wear INTEGER NOT NULL,
      ring INTEGER NOT NULL,
      minute INTEGER NOT NULL,
      change INTEGER NOT NULL,
      stays TEXT NOT NULL DEFAULT 'never' CHECK (stays IN ('never', 'merged', 'always')),
      checksum INTEGER,
      PRIMARY KEY (uid, wear, ring, minute)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX deleted_sample_change ON deleted_sample (change)",
    """
    CREATE TABLE deleted_entry (
      id BLOB PRIMARY KEY,
      change INTEGER NOT NULL,
      stays TEXT NOT NULL DEFAULT 'always' CHECK (stays IN ('never', 'merged', 'always')),
      checksum INTEGER
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX deleted_entry_change ON deleted_entry (change)",
    "CREATE TABLE deleted_scan (id BLOB PRIMARY KEY, checksum INTEGER) STRICT, WITHOUT ROWID",
    "CREATE TABLE forgotten (uid TEXT PRIMARY KEY, checksum INTEGER) STRICT, WITHOUT ROWID",
    """
    CREATE TABLE import (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      at INTEGER NOT NULL,
      formats TEXT,
      time_zone TEXT,
      scans INTEGER NOT NULL DEFAULT 0,
      new_scans INTEGER NOT NULL DEFAULT 0,
      added INTEGER NOT NULL DEFAULT 0,
      filled INTEGER NOT NULL DEFAULT 0,
      known INTEGER NOT NULL DEFAULT 0,
      conflicts INTEGER NOT NULL DEFAULT 0,
      checksum INTEGER
    ) STRICT
    """,
    """
    CREATE TABLE import_file (
      import INTEGER NOT NULL REFERENCES import (id) ON DELETE CASCADE,
      number INTEGER NOT NULL,
      name TEXT NOT NULL,
      checksum INTEGER,
      PRIMARY KEY (import, number)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE import_left_out (
      import INTEGER NOT NULL REFERENCES import (id) ON DELETE CASCADE,
      reason TEXT NOT NULL,
      count INTEGER NOT NULL,
      checksum INTEGER,
      PRIMARY KEY (import, reason)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE import_dating (
      import INTEGER NOT NULL REFERENCES import (id) ON DELETE CASCADE,
      sha256 TEXT NOT NULL,
      time_zone TEXT,
      date_order TEXT NOT NULL,
      checksum INTEGER,
      PRIMARY KEY (import, sha256)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE scan_import (
      scan INTEGER NOT NULL REFERENCES scan (number) ON DELETE CASCADE,
      import INTEGER NOT NULL REFERENCES import (id) ON DELETE CASCADE,
      checksum INTEGER,
      PRIMARY KEY (scan, import)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE sample_import (
      wear INTEGER NOT NULL,
      ring INTEGER NOT NULL,
      minute INTEGER NOT NULL,
      import INTEGER NOT NULL REFERENCES import (id) ON DELETE CASCADE,
      checksum INTEGER,
      PRIMARY KEY (wear, ring, minute, import),
      FOREIGN KEY (wear, ring, minute) REFERENCES sample (wear, ring, minute) ON DELETE CASCADE ON UPDATE CASCADE
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE entry_import (
      id BLOB NOT NULL REFERENCES entry (id) ON DELETE CASCADE,
      import INTEGER NOT NULL REFERENCES import (id) ON DELETE CASCADE,
      checksum INTEGER,
      PRIMARY KEY (id, import)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE sink (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL UNIQUE,
      receiver TEXT NOT NULL,
      enrolled_at INTEGER NOT NULL,
      sends_from INTEGER NOT NULL,
      removal_cursor INTEGER NOT NULL DEFAULT 0,
      stopped_by TEXT CHECK (stopped_by IN ('user', 'receiver')),
      stopped_for TEXT CHECK ((stopped_by IS NULL) = (stopped_for IS NULL)),
      failures INTEGER NOT NULL DEFAULT 0,
      retry_at INTEGER,
      is_retry_asked INTEGER NOT NULL DEFAULT 0,
      last_success_at INTEGER,
      last_error TEXT,
      checksum INTEGER
    ) STRICT
    """,
    """
    CREATE TABLE sink_kind (
      sink INTEGER NOT NULL REFERENCES sink (id) ON DELETE CASCADE,
      kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 4),
      cursor INTEGER NOT NULL DEFAULT -1,
      is_wanted INTEGER NOT NULL DEFAULT 1,
      checksum INTEGER,
      PRIMARY KEY (sink, kind)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE sink_memory (
      sink INTEGER NOT NULL REFERENCES sink (id) ON DELETE CASCADE,
      key TEXT NOT NULL,
      value TEXT NOT NULL,
      checksum INTEGER,
      PRIMARY KEY (sink, key)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE batch (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      sink INTEGER NOT NULL REFERENCES sink (id) ON DELETE CASCADE,
      key BLOB NOT NULL,
      attempts INTEGER NOT NULL DEFAULT 0,
      checksum INTEGER
    ) STRICT
    """,
    "CREATE INDEX batch_sink ON batch (sink)",
    """
    CREATE TABLE outbox (
      number INTEGER PRIMARY KEY,
      sink INTEGER NOT NULL REFERENCES sink (id) ON DELETE CASCADE,
      kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 4),
      wear INTEGER,
      minute INTEGER,
      entry BLOB REFERENCES entry (id) ON DELETE CASCADE,
      time INTEGER,
      is_historical INTEGER NOT NULL,
      is_held INTEGER NOT NULL DEFAULT 0,
      batch INTEGER REFERENCES batch (id) ON DELETE SET NULL,
      waiting_since INTEGER,
      parked_for TEXT,
      parked_at INTEGER,
      checksum INTEGER,
      FOREIGN KEY (wear, kind, minute) REFERENCES sample (wear, ring, minute) ON DELETE CASCADE ON UPDATE CASCADE,
      CHECK ((kind < 2) = (wear IS NOT NULL AND minute IS NOT NULL)),
      CHECK ((kind < 2) = (entry IS NULL)),
      CHECK ((kind < 2) = (time IS NULL)),
      CHECK ((parked_for IS NULL) = (parked_at IS NULL))
    ) STRICT
    """,
    "CREATE UNIQUE INDEX outbox_sample ON outbox (wear, kind, minute, sink) WHERE wear IS NOT NULL",
    "CREATE UNIQUE INDEX outbox_entry ON outbox (entry, sink) WHERE entry IS NOT NULL",
    "CREATE INDEX outbox_time ON outbox (sink, time) WHERE entry IS NOT NULL",
    "CREATE INDEX outbox_batch ON outbox (batch) WHERE batch IS NOT NULL",
    """
    CREATE TABLE sent (
      sink INTEGER NOT NULL REFERENCES sink (id) ON DELETE CASCADE,
      id BLOB NOT NULL,
      key TEXT NOT NULL,
      time INTEGER NOT NULL,
      state INTEGER NOT NULL DEFAULT 0 CHECK (state IN (0, 1, 2)),
      checksum INTEGER,
      PRIMARY KEY (sink, id, key)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX sent_state ON sent (sink) WHERE state = 1",
    """
    CREATE TABLE meter (
      id INTEGER PRIMARY KEY,
      address TEXT NOT NULL,
      serial TEXT,
      maker TEXT,
      model TEXT,
      name TEXT,
      highest_sequence INTEGER,
      probe_packet BLOB,
      last_read_at INTEGER,
      is_forgotten INTEGER NOT NULL DEFAULT 0,
      checksum INTEGER
    ) STRICT
    """,
    "CREATE INDEX meter_serial ON meter (serial)",
    "CREATE INDEX meter_address ON meter (address)",
    """
    CREATE TABLE meter_record (
      meter INTEGER NOT NULL REFERENCES meter (id) ON DELETE CASCADE,
      key TEXT NOT NULL,
      ordinal INTEGER NOT NULL,
      value TEXT NOT NULL,
      base_time INTEGER,
      meter_time TEXT,
      packets TEXT NOT NULL,
      entry BLOB,
      left_aside_for TEXT,
      checksum INTEGER,
      PRIMARY KEY (meter, key, ordinal),
      CHECK ((entry IS NULL) <> (left_aside_for IS NULL))
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX meter_record_entry ON meter_record (entry)",
    """
    CREATE VIEW history AS
      SELECT strftime('%Y-%m-%dT%H:%M:%SZ', wear.activated_at + sample.minute * 60, 'unixepoch') AS time,
        CASE WHEN \(SampleRow.isUsable) THEN sample.glucose_mg_dl END AS glucose_mg_dl, sample.quality AS quality,
        CASE sample.ring WHEN 0 THEN 'history' ELSE 'trend' END AS ring, sample.minute AS minute, sensor.uid AS uid,
        sensor.serial AS serial, wear.number AS wear, sample.temperature_c AS temperature_c,
        sample.glucose_mg_dl AS model_glucose_mg_dl, NULL AS source, NULL AS device, NULL AS bound, NULL AS note
      FROM sample JOIN wear ON wear.id = sample.wear JOIN sensor ON sensor.id = wear.sensor
      UNION ALL SELECT strftime('%Y-%m-%dT%H:%M:%SZ', time, 'unixepoch'),
        CASE WHEN \(PossibleValues.isGlucose("glucose_mg_dl")) THEN glucose_mg_dl END, 'ok',
        CASE WHEN kind = 3 THEN 'finger_stick' WHEN ring = 0 THEN 'history' ELSE 'trend' END,
        NULL, NULL, NULL, NULL, NULL, NULL, source, device, bound, note
      FROM entry WHERE kind < 4
    """,
  ]

  /// The statement that creates each object, by the object's name.
  private static let objects = Dictionary(uniqueKeysWithValues: statements.map { (name(of: $0), $0) })

  private static func name(of statement: String) -> String {
    let words = statement.split(separator: " ", maxSplits: 4)
    return String(words[words[1] == "UNIQUE" ? 3 : 2])
  }

  /// True for a store, false for an empty database.
  ///
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
