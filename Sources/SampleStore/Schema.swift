// SPDX-License-Identifier: Apache-2.0
import SQLiteAccess

/// Tables of the store, as numbered migrations. New ones are only appended: an older store is updated when it is
/// opened for writing, and a store of a later libre is left unchanged.
///
/// | table | a row is |
/// |---|---|
/// | `store` | the store's id and the number of its last change |
/// | `sensor` | a sensor, by UID, or by fingerprint until the UID is known |
/// | `wear` | one life of a sensor, with its activation instant; restarting begins the next. `is_handed_out` is not used any more. Samples up to the minute `removed_until` were deleted for their age |
/// | `scan` | a reading, with its memory |
/// | `sample` | a ring's content for a minute: the identity is (wear, ring, minute). Times are not stored, but computed from the wear |
/// | `calibration` | a model with its numbers |
/// | `revision` | a sample's value by another calibration than the factory's |
/// | `conflict` | other counts for a minute that already has a sample |
/// | `imported`, `finger_stick` | values of other programs, and blood glucose values |
/// | `user_calibration` | slope and offset over the factory value, with the finger-sticks used to compute them |
/// | `deleted_sample`, `deleted_entry` | removals, to be passed on to receivers: a sample by its sensor, anything else by its id |
/// | `forgotten` | UIDs of removed sensors, which a merge does not restore |
/// | `import` and `…_import` | imports and the rows of each import: `ImportsSchema` |
/// | `sink`, `sink_memory`, `outbox`, `batch`, `dead_letter` | entries to be sent: `Outbox/OutboxSchema` |
/// | `meter`, `meter_record`, `blood_pressure` | Bluetooth meters and their records: `Meters/MeterSchema` |
/// | `entry_outbox`, `sent` | imported values, finger-sticks and blood pressures to be sent, and records that receivers hold: `Outbox/EntryOutboxSchema` |
///
/// The rows that commands show have a `checksum` of their other columns: `ChecksummedTable`.
///
/// Times are seconds since 1970. `change` numbers transactions: changes after an anchor have higher numbers.
enum Schema {
  /// `LIBR`: marks the database as libre's (SQLite's `application_id`).
  static let applicationID = 0x4C49_4252

  /// First version that can be read without migration.
  static let oldestReadable = 1
  static let firstWithOutbox = 2
  static let firstWithProvisionalStarts = 3
  static let firstWithWaiting = 3
  static let firstWithImports = 4
  static let firstWithEntryOutbox = 5
  static let firstWithMeters = 6
  static let firstWithChecksums = 7

  static let migrations = [
    """
    CREATE TABLE store (
      id BLOB NOT NULL,
      change INTEGER NOT NULL,
      removed_before INTEGER
    ) STRICT;
    INSERT INTO store VALUES (randomblob(8), 0, NULL);

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
      CHECK (uid IS NOT NULL OR fingerprint IS NOT NULL)
    ) STRICT;
    CREATE INDEX sensor_fingerprint ON sensor (fingerprint);

    CREATE TABLE wear (
      id INTEGER PRIMARY KEY,
      sensor INTEGER NOT NULL REFERENCES sensor (id),
      number INTEGER NOT NULL CHECK (number BETWEEN 1 AND 65535),
      activated_at INTEGER,
      anchored_by TEXT CHECK (anchored_by IN ('scan', 'history', 'user')),
      anchor_read_at INTEGER,
      is_handed_out INTEGER NOT NULL DEFAULT 0,
      removed_until INTEGER NOT NULL DEFAULT 0,
      UNIQUE (sensor, number)
    ) STRICT;

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
      reader_dialect TEXT
    ) STRICT;
    CREATE INDEX scan_wear ON scan (wear, age_minutes, read_at);
    CREATE INDEX scan_sensor ON scan (sensor);
    CREATE INDEX scan_lacks_footer ON scan (sensor) WHERE lacks_footer;

    CREATE TABLE calibration (
      id INTEGER PRIMARY KEY,
      model TEXT NOT NULL,
      version INTEGER NOT NULL,
      parameters TEXT NOT NULL,
      UNIQUE (model, version, parameters)
    ) STRICT;

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
      PRIMARY KEY (wear, ring, minute),
      CHECK (NOT has_error OR quality = 'error' AND glucose_mg_dl IS NULL)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sample_change ON sample (change);

    CREATE TABLE revision (
      wear INTEGER NOT NULL,
      ring INTEGER NOT NULL,
      minute INTEGER NOT NULL,
      calibration INTEGER NOT NULL REFERENCES calibration (id),
      glucose_mg_dl REAL,
      change INTEGER NOT NULL,
      PRIMARY KEY (wear, ring, minute, calibration),
      FOREIGN KEY (wear, ring, minute) REFERENCES sample (wear, ring, minute) ON DELETE CASCADE ON UPDATE CASCADE
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX revision_change ON revision (change);

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
      PRIMARY KEY (wear, ring, minute, glucose, temperature, temperature_adjustment, has_error, error_field),
      FOREIGN KEY (wear, ring, minute) REFERENCES sample (wear, ring, minute) ON DELETE CASCADE ON UPDATE CASCADE
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE imported (
      id BLOB PRIMARY KEY,
      source TEXT NOT NULL,
      device TEXT,
      ring INTEGER NOT NULL CHECK (ring IN (0, 1)),
      time INTEGER NOT NULL,
      glucose_mg_dl REAL NOT NULL,
      bound TEXT CHECK (bound IN ('low', 'high')),
      change INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX imported_time ON imported (time);
    CREATE INDEX imported_change ON imported (change);

    CREATE TABLE finger_stick (
      id BLOB PRIMARY KEY,
      time INTEGER NOT NULL,
      glucose_mg_dl REAL NOT NULL,
      note TEXT,
      source TEXT,
      change INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX finger_stick_time ON finger_stick (time);

    CREATE TABLE user_calibration (
      wear INTEGER PRIMARY KEY REFERENCES wear (id),
      slope REAL NOT NULL,
      intercept REAL NOT NULL,
      points TEXT NOT NULL,
      made_at INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE deleted_sample (
      uid TEXT NOT NULL,
      wear INTEGER NOT NULL,
      ring INTEGER NOT NULL,
      minute INTEGER NOT NULL,
      change INTEGER NOT NULL,
      PRIMARY KEY (uid, wear, ring, minute)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX deleted_sample_change ON deleted_sample (change);

    CREATE TABLE deleted_entry (
      id BLOB PRIMARY KEY,
      change INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX deleted_entry_change ON deleted_entry (change);

    CREATE TABLE forgotten (uid TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
    """,
    outbox,
    // `is_provisional`: a start known only from a file's modification time. The index finds the wears of a moment.
    // `waiting_since`: the change at which a sample had no value yet by its sink's calibration; tried again after the next.
    """
    ALTER TABLE wear ADD COLUMN is_provisional INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX wear_activated_at ON wear (activated_at);
    ALTER TABLE outbox ADD COLUMN waiting_since INTEGER;
    """,
    imports,
    entryOutbox,
    meters,
    // How local times of imported files were read, and the checksums of rows, which get them when all migrations are done:
    // `migrate`.
    [
      "store", "sensor", "wear", "scan", "calibration", "sample", "revision", "conflict", "imported", "finger_stick",
      "user_calibration", "import", "import_file", "import_left_out", "sink", "dead_letter", "meter", "meter_record",
      "blood_pressure",
    ].map { "ALTER TABLE \($0) ADD COLUMN \(ChecksummedTable.column) INTEGER;\n" }.joined() + importDating,
  ]

  /// Returns the number of migrations of a store, 0 for an empty database.
  ///
  /// - Throws: `notAStore`, `corrupt`, `newerSchema` or `foreignSchema` for anything else; `path` is named by the error.
  static func version(of database: StoreConnection, path: String) throws(StoreError) -> Int {
    // All is read at one moment: another process may be creating the store.
    try database.execute("BEGIN")
    defer { try? database.execute("COMMIT") }
    let version = try version(of: database)
    let isEmpty = try database.row("SELECT 1 FROM sqlite_master LIMIT 1") == nil
    if isEmpty && version == 0 { return 0 }
    guard try application(of: database) == applicationID else { throw .notAStore(path: path) }
    if version > migrations.count { throw .newerSchema(path: path, found: version, known: migrations.count) }
    guard version >= oldestReadable else {
      throw .corrupt(path: path, words: "its header has the impossible schema number \(version)")
    }
    let file = try SchemaObjects(in: database)
    if let words = SchemaObjects(ofVersion: version).difference(in: file) {
      throw .foreignSchema(path: path, words: words)
    }
    return version
  }

  /// Migrates a database in one transaction, safe against other processes. An empty one becomes a store.
  static func migrate(_ database: StoreConnection) throws(StoreError) {
    try database.execute("BEGIN IMMEDIATE")
    let version = try version(of: database)
    for (number, migration) in migrations.enumerated() where number >= version {
      try database.execute(migration)
      try database.execute("PRAGMA user_version = \(number + 1)")
    }
    if version < firstWithChecksums {
      for table in try ChecksummedTable.all(in: database) { try database.execute(table.sealing) }
    }
    try database.execute("PRAGMA application_id = \(applicationID); COMMIT")
  }

  private static func version(of database: StoreConnection) throws(StoreError) -> Int {
    Int(try database.row("PRAGMA user_version")?.first?.integer ?? 0)
  }

  private static func application(of database: StoreConnection) throws(StoreError) -> Int {
    Int(try database.row("PRAGMA application_id")?.first?.integer ?? 0)
  }
}
