// SPDX-License-Identifier: Apache-2.0

extension Schema {
  /// Bluetooth meters, the records that were read from them, and blood pressure.
  ///
  /// | table | a row is |
  /// |---|---|
  /// | `meter` | a meter, by its serial number, or by its address until the serial number is known |
  /// | `meter_record` | a record of a meter: with `entry` the id of the finger-stick or blood pressure made of it, otherwise with the reason why it was left aside |
  /// | `blood_pressure` | a measurement of a cuff, with the numbers in the unit that it sent |
  ///
  /// A record is identified by its meter and `key`: its sequence number, or its content for a cuff, which has no
  /// numbers. A changed clock does not make it another record. After a fault a meter may begin again with its first
  /// number: a record with the same `key` but another `value`, or made more than two days apart by the meter's inner
  /// clock, `base_time`, is another one and gets the next `ordinal`. `highest_sequence` and `probe_packet` are the record
  /// from which the next reading continues, and by which it notices that the numbers were set back. A record stays when
  /// its entry is removed, so that the next reading does not restore it.
  ///
  /// `entry_outbox` is rebuilt, because SQLite cannot change the check of its kinds.
  static let meters = """
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
      is_forgotten INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX meter_serial ON meter (serial);
    CREATE INDEX meter_address ON meter (address);

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
      PRIMARY KEY (meter, key, ordinal),
      CHECK ((entry IS NULL) <> (left_aside_for IS NULL))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX meter_record_entry ON meter_record (entry);

    CREATE TABLE blood_pressure (
      id BLOB PRIMARY KEY,
      time INTEGER NOT NULL,
      systolic REAL NOT NULL,
      diastolic REAL NOT NULL,
      mean REAL,
      unit TEXT NOT NULL CHECK (unit IN ('mmHg', 'kPa')),
      pulse REAL,
      user INTEGER,
      conditions TEXT NOT NULL,
      source TEXT,
      change INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX blood_pressure_time ON blood_pressure (time);
    CREATE INDEX blood_pressure_change ON blood_pressure (change);

    CREATE TABLE blood_pressure_import (
      id BLOB NOT NULL REFERENCES blood_pressure (id) ON DELETE CASCADE,
      import INTEGER NOT NULL REFERENCES import (id) ON DELETE CASCADE,
      PRIMARY KEY (id, import)
    ) STRICT, WITHOUT ROWID;

    ALTER TABLE sink ADD COLUMN blood_pressure_cursor INTEGER NOT NULL DEFAULT -1;
    DROP TRIGGER imported_removed;
    DROP TRIGGER finger_stick_removed;
    ALTER TABLE entry_outbox RENAME TO old_entry_outbox;
    DROP INDEX entry_outbox_batch;
    DROP INDEX entry_outbox_time;
    CREATE TABLE entry_outbox (
      sink INTEGER NOT NULL REFERENCES sink (id) ON DELETE CASCADE,
      id BLOB NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('imported', 'finger_stick', 'blood_pressure')),
      time INTEGER NOT NULL,
      is_historical INTEGER NOT NULL,
      is_held INTEGER NOT NULL DEFAULT 0,
      batch INTEGER REFERENCES batch (id) ON DELETE SET NULL,
      parked_for TEXT,
      parked_at INTEGER CHECK ((parked_for IS NULL) = (parked_at IS NULL)),
      PRIMARY KEY (sink, id)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO entry_outbox SELECT sink, id, kind, time, is_historical, is_held, batch, parked_for, parked_at
      FROM old_entry_outbox;
    DROP TABLE old_entry_outbox;
    CREATE INDEX entry_outbox_batch ON entry_outbox (batch);
    CREATE INDEX entry_outbox_time ON entry_outbox (sink, time);
    CREATE TRIGGER imported_removed AFTER DELETE ON imported BEGIN
      DELETE FROM entry_outbox WHERE id = OLD.id;
    END;
    CREATE TRIGGER finger_stick_removed AFTER DELETE ON finger_stick BEGIN
      DELETE FROM entry_outbox WHERE id = OLD.id;
    END;
    CREATE TRIGGER blood_pressure_removed AFTER DELETE ON blood_pressure BEGIN
      DELETE FROM entry_outbox WHERE id = OLD.id;
    END;
    """
}
