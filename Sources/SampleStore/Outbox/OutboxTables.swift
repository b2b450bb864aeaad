// SPDX-License-Identifier: Apache-2.0

extension Schema {
  /// Sinks, what is queued for them, and what their receivers hold.
  static let outboxTables = [
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
  ]
}
