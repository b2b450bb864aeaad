// SPDX-License-Identifier: Apache-2.0

extension Schema {
  /// Imported values and finger-sticks to be sent, and records of receivers that can delete them.
  ///
  /// | table | a row is |
  /// |---|---|
  /// | `entry_outbox` | an imported value or a finger-stick queued for a sink; with `parked_for` parked, with the receiver's reason; with `is_held` not sent now |
  /// | `sent` | a record at a receiver, by our id and the receiver's key. `state` 1: to be deleted there; 2: the receiver refused to delete it |
  ///
  /// A sink's `imported_cursor` and `finger_stick_cursor` work like those of the rings; removals and changes up to
  /// `removal_cursor` are in `sent.state`.
  static let entryOutbox = """
    ALTER TABLE sink ADD COLUMN imported_cursor INTEGER NOT NULL DEFAULT -1;
    ALTER TABLE sink ADD COLUMN finger_stick_cursor INTEGER NOT NULL DEFAULT -1;
    ALTER TABLE sink ADD COLUMN removal_cursor INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX finger_stick_change ON finger_stick (change);

    CREATE TABLE entry_outbox (
      sink INTEGER NOT NULL REFERENCES sink (id) ON DELETE CASCADE,
      id BLOB NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('imported', 'finger_stick')),
      time INTEGER NOT NULL,
      is_historical INTEGER NOT NULL,
      is_held INTEGER NOT NULL DEFAULT 0,
      batch INTEGER REFERENCES batch (id) ON DELETE SET NULL,
      parked_for TEXT,
      parked_at INTEGER CHECK ((parked_for IS NULL) = (parked_at IS NULL)),
      PRIMARY KEY (sink, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX entry_outbox_batch ON entry_outbox (batch);
    CREATE INDEX entry_outbox_time ON entry_outbox (sink, time);
    CREATE TRIGGER imported_removed AFTER DELETE ON imported BEGIN
      DELETE FROM entry_outbox WHERE id = OLD.id;
    END;
    CREATE TRIGGER finger_stick_removed AFTER DELETE ON finger_stick BEGIN
      DELETE FROM entry_outbox WHERE id = OLD.id;
    END;

    CREATE TABLE sent (
      sink INTEGER NOT NULL REFERENCES sink (id) ON DELETE CASCADE,
      id BLOB NOT NULL,
      key TEXT NOT NULL,
      time INTEGER NOT NULL,
      state INTEGER NOT NULL DEFAULT 0 CHECK (state IN (0, 1, 2)),
      PRIMARY KEY (sink, id, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sent_state ON sent (sink) WHERE state = 1;
    """
}
