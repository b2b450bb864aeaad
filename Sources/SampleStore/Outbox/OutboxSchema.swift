// SPDX-License-Identifier: Apache-2.0

extension Schema {
  /// Queued samples and their sinks.
  ///
  /// | table | a row is |
  /// |---|---|
  /// | `sink` | a receiver, with the user's name for it; an id is never reused. Changes up to a ring's cursor were put in its outbox; samples of a ring that it does not get now stay there |
  /// | `sink_memory` | values returned by a receiver, such as the id of a user or a data set. No secrets |
  /// | `outbox` | a sample queued for a sink; with `waiting_since` without a value yet by the sink's calibration |
  /// | `batch` | samples of the outbox that are sent together, again with the same key after a failure |
  /// | `dead_letter` | a parked sample, with the receiver's reason |
  ///
  /// `wear.shown_change` is the last change of the display of its values, which does not affect sent values.
  static let outbox = """
    ALTER TABLE wear ADD COLUMN shown_change INTEGER NOT NULL DEFAULT -1;

    CREATE TABLE sink (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL UNIQUE,
      receiver TEXT NOT NULL,
      enrolled_at INTEGER NOT NULL,
      sends_from INTEGER NOT NULL,
      history_cursor INTEGER NOT NULL DEFAULT -1,
      trend_cursor INTEGER NOT NULL DEFAULT -1,
      gets_history INTEGER NOT NULL DEFAULT 1,
      gets_trend INTEGER NOT NULL DEFAULT 1,
      stopped_by TEXT CHECK (stopped_by IN ('user', 'receiver')),
      stopped_for TEXT CHECK ((stopped_by IS NULL) = (stopped_for IS NULL)),
      failures INTEGER NOT NULL DEFAULT 0,
      retry_at INTEGER,
      is_retry_asked INTEGER NOT NULL DEFAULT 0,
      last_success_at INTEGER,
      last_error TEXT
    ) STRICT;

    CREATE TABLE sink_memory (
      sink INTEGER NOT NULL REFERENCES sink (id) ON DELETE CASCADE,
      key TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (sink, key)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE batch (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      sink INTEGER NOT NULL REFERENCES sink (id) ON DELETE CASCADE,
      key BLOB NOT NULL,
      attempts INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX batch_sink ON batch (sink);

    CREATE TABLE outbox (
      sink INTEGER NOT NULL REFERENCES sink (id) ON DELETE CASCADE,
      wear INTEGER NOT NULL,
      ring INTEGER NOT NULL,
      minute INTEGER NOT NULL,
      is_historical INTEGER NOT NULL,
      batch INTEGER REFERENCES batch (id) ON DELETE SET NULL,
      PRIMARY KEY (sink, wear, ring, minute),
      FOREIGN KEY (wear, ring, minute) REFERENCES sample (wear, ring, minute) ON DELETE CASCADE ON UPDATE CASCADE
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX outbox_batch ON outbox (batch);
    CREATE INDEX outbox_sample ON outbox (wear, ring, minute);

    CREATE TABLE dead_letter (
      sink INTEGER NOT NULL REFERENCES sink (id) ON DELETE CASCADE,
      wear INTEGER NOT NULL,
      ring INTEGER NOT NULL,
      minute INTEGER NOT NULL,
      reason TEXT NOT NULL,
      at INTEGER NOT NULL,
      PRIMARY KEY (sink, wear, ring, minute),
      FOREIGN KEY (wear, ring, minute) REFERENCES sample (wear, ring, minute) ON DELETE CASCADE ON UPDATE CASCADE
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX dead_letter_sample ON dead_letter (wear, ring, minute);
    """
}
