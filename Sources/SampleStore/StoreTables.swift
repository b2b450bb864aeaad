// SPDX-License-Identifier: Apache-2.0

extension Schema {
  /// Sensors, samples, other entries, imports, removals and meters, and the view of all entries with glucose.
  static let storeTables = [
    """
    CREATE TABLE store (
      id BLOB NOT NULL,
      change INTEGER NOT NULL,
      removed_before INTEGER,
      keeps_log INTEGER NOT NULL DEFAULT 0,
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
      doubt TEXT CHECK (doubt IN ('modification_time', 'clock_not_set', 'disputed')),
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
      reader_battery INTEGER CHECK (reader_battery BETWEEN 0 AND 100),
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
      ring INTEGER NOT NULL CHECK (ring IN (0, 1)),
      minute INTEGER NOT NULL CHECK (minute BETWEEN 1 AND 65535),
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
}
