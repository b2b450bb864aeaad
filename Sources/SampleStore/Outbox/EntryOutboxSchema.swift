// SPDX-License-Identifier: Apache-2.0

extension Schema {
  /// Imported values and finger-sticks that sinks lack, and what receivers hold that can take it back.
  ///
  /// | table | a row is |
  /// |---|---|
  /// | `entry_outbox` | an imported value or a finger-stick that a sink lacks; with `parked_for` one that the receiver will not take, with its words. One that the sink is not sent now `is_held` |
  /// | `sent` | a record that a receiver holds of ours, by our id and by its own key. `state` 1 is to be taken back, 2 is one that it would not take back |
  ///
  /// A sink's `imported_cursor` and `finger_stick_cursor` are as those of the rings; up to `removal_cursor`, what was
  /// removed or has changed is in `sent.state`.
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
