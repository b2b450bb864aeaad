// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import SQLiteAccess

/// Queued samples of each sink: recorded for each sample, not "since when", because a late scan fills gaps behind the
/// newest value.
extension SensorStore {
  /// Adds samples stored or changed since the last call to a sink's outbox, and removes those that may not be sent any
  /// more.
  ///
  /// Queues only samples that count (`SupersededSpan`), with a firm time, a value and quality `ok`, from a body with a
  /// valid checksum, of a sensor with a known UID. Holds back queued samples of rings that are not in `rings`, imported values and
  /// finger-sticks that are not in `kinds`, and imported values of `ignored` sources.
  package func fillOutbox(
    of sink: StoredSink.ID, rings: Set<SampleRing>, kinds: Set<EntryKind> = [], ignoring ignored: Set<String> = []
  ) throws(StoreError) {
    try transaction { () throws(StoreError) in
      for ring in SampleRing.allCases {
        let isWanted = rings.contains(ring)
        let column = Self.gets(ring)
        try statement("UPDATE sink SET \(column) = ?2 WHERE id = ?1 AND \(column) <> ?2")
          .run(.integer(sink.row), .integer(isWanted ? 1 : 0))
        if isWanted { try fill(sink.row, ring) } else { try holdBack(ring, of: sink.row) }
      }
      for kind in EntryKind.allCases { try fill(sink.row, kind, isWanted: kinds.contains(kind), ignoring: ignored) }
    }
  }

  private func fill(_ sink: Int, _ ring: SampleRing) throws(StoreError) {
    let (id, number) = (SQLiteValue.integer(sink), SQLiteValue.integer(SampleRow.number(ring)))
    let cursor = Self.cursor(of: ring)
    let row = try statement("SELECT \(cursor), (SELECT change FROM store), sends_from FROM sink WHERE id = ?").first(id)
    // Usually nothing has changed, and nothing is written.
    guard let row, row[0] != row[1] else { return }
    let (key, columns, isSendable) = (Self.sampleKey, Self.outboxColumns, Self.isSendable)
    if row[0] == .integer(-1) {
      // The first time by the wears' keys, so that the cost depends on the requested days, not on the store's age.
      try statement(
        """
        INSERT INTO outbox (sink, wear, ring, minute, is_historical) SELECT \(columns)
          FROM sink CROSS JOIN wear CROSS JOIN sensor ON sensor.id = wear.sensor CROSS JOIN sample ON sample.wear = wear.id
          WHERE sink.id = ?1 AND sample.ring = ?2 AND wear.activated_at + 65535 * 60 >= sink.sends_from
            AND sample.minute >= (sink.sends_from - wear.activated_at) / 60 AND \(isSendable)
        """
      ).run(id, number)
    } else {
      let changed = """
        FROM sample CROSS JOIN wear ON wear.id = sample.wear CROSS JOIN sensor ON sensor.id = wear.sensor
        CROSS JOIN sink ON sink.id = ?1 WHERE sample.change > ?3 AND sample.ring = ?2
        """
      for table in ["outbox", "dead_letter"] {
        try statement("DELETE FROM \(table) WHERE sink = ?1 AND (wear, ring, minute) IN (SELECT \(key) \(changed))")
          .run(id, number, row[0])
      }
      try statement(
        "INSERT INTO outbox (sink, wear, ring, minute, is_historical) SELECT \(columns) \(changed) AND \(isSendable)"
      ).run(id, number, row[0])
    }
    try removeSuperseded(from: sink, ring)
    try statement("UPDATE sink SET \(cursor) = ?2 WHERE id = ?1").run(id, row[1])
  }

  private static let sampleKey = "sample.wear, sample.ring, sample.minute"

  /// Values of a new row of `outbox`, from `sink`, `wear` and `sample`.
  private static let outboxColumns =
    "sink.id, \(sampleKey), wear.activated_at + sample.minute * 60 < sink.enrolled_at"

  /// SQL condition for a row of `sample`, with its `wear`, `sensor` and `sink`.
  static let isSendable = """
    \(SampleRow.isUsable) AND NOT sample.is_salvaged AND sensor.uid IS NOT NULL
      AND NOT wear.is_provisional
      AND wear.activated_at + sample.minute * 60 >= sink.sends_from
    """

  /// Queues the samples of a minute again, although they were sent; false if the sink may not get them.
  package func queueAgain(
    _ newest: NewestSample, rings: Set<SampleRing>, for sink: StoredSink.ID
  ) throws(StoreError) -> Bool {
    try transaction { () throws(StoreError) in
      guard let wear = try wearRow(newest.sensor, newest.wear) else { return false }
      try statement(
        """
        INSERT OR IGNORE INTO outbox (sink, wear, ring, minute, is_historical) SELECT \(Self.outboxColumns)
          FROM sink CROSS JOIN wear ON wear.id = ?2 CROSS JOIN sensor ON sensor.id = wear.sensor
          CROSS JOIN sample ON sample.wear = wear.id AND sample.minute = ?3
            AND sample.ring IN (\(SampleRow.numbers(rings)))
          WHERE sink.id = ?1 AND \(Self.isSendable)
        """
      ).run(.integer(sink.row), .integer(wear), .integer(newest.minute.value))
      return database.changes > 0
    }
  }

  /// Removes samples that do not count, which are few and easier to find when they are queued.
  private func removeSuperseded(from sink: Int, _ ring: SampleRing) throws(StoreError) {
    for queue in ["outbox", "dead_letter"] {
      let wears = try statement("SELECT DISTINCT wear FROM \(queue) WHERE sink = ? AND ring = ?")
        .all(.integer(sink), .integer(SampleRow.number(ring))) { $0.integer(0) }
      for wear in wears {
        for span in try supersededSpans(ofWear: wear) {
          try statement("DELETE FROM \(queue) WHERE sink = ? AND wear = ? AND ring = ? AND minute BETWEEN ? AND ?")
            .run(
              .integer(sink), .integer(wear), .integer(SampleRow.number(ring)), .integer(span.minutes.lowerBound),
              .integer(span.minutes.upperBound))
        }
      }
    }
  }

  /// Holds a ring back: its rows stay, and get a batch of their own if the ring is wanted again.
  private func holdBack(_ ring: SampleRing, of sink: Int) throws(StoreError) {
    try statement("UPDATE outbox SET batch = NULL WHERE sink = ? AND ring = ? AND batch IS NOT NULL")
      .run(.integer(sink), .integer(SampleRow.number(ring)))
  }

  private static func cursor(of ring: SampleRing) -> String {
    switch ring {
    case .history: "history_cursor"
    case .trend: "trend_cursor"
    }
  }

  private static func gets(_ ring: SampleRing) -> String {
    switch ring {
    case .history: "gets_history"
    case .trend: "gets_trend"
    }
  }

  /// SQL condition for a row of `outbox` whose ring the row of `sink` gets now.
  static let isWanted = "(CASE outbox.ring WHEN 0 THEN sink.gets_history ELSE sink.gets_trend END)"

  /// Returns the next batch to send: a batch that was begun, otherwise the oldest samples, at most `limit` of one wear
  /// and one week; nil if nothing is left. The batch is on disk before it is returned, and its times do not change
  /// afterwards.
  ///
  /// A new batch contains no sample after `end`: a clock that was wrong at a scan must not send future values. They
  /// stay in the outbox until their time has come.
  package func nextBatch(
    of sink: StoredSink.ID, limit: Int, until end: Instant? = nil
  ) throws(StoreError) -> StoredBatch? {
    try transaction { () throws(StoreError) in
      // Members of a batch may have been removed, and changed ones come in another batch.
      try statement(
        """
        DELETE FROM batch WHERE sink = ?1 AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.batch = batch.id)
          AND NOT EXISTS (SELECT 1 FROM entry_outbox WHERE entry_outbox.batch = batch.id)
        """
      ).run(.integer(sink.row))
      // If a batch was halved, the rest of the older half comes first.
      let begun = try statement(
        """
        SELECT batch.id, batch.attempts FROM batch WHERE batch.sink = ? ORDER BY batch.attempts >= \(StoredBatch.manyAttempts), coalesce((
          SELECT min(wear.activated_at + outbox.minute * 60) FROM outbox JOIN wear ON wear.id = outbox.wear
          WHERE outbox.batch = batch.id), (
          SELECT min(time) FROM entry_outbox WHERE entry_outbox.batch = batch.id)), batch.id LIMIT 1
        """
      ).first(.integer(sink.row))
      let begunRow = begun?[0].integer.map(Int.init)
      if let begunRow, begun?[1].integer ?? 0 < StoredBatch.manyAttempts { return try batch(row: begunRow) }
      if let row = try beginBatch(of: sink.row, limit: limit, until: end) { return try batch(row: row) }
      let entries = try beginEntryBatch(of: sink.row, limit: limit, until: end)
      guard let row = entries ?? begunRow else { return nil }
      return try batch(row: row)
    }
  }

  /// Moves the oldest samples without a batch into a new one; nil if none is queued.
  private func beginBatch(of sink: Int, limit: Int, until end: Instant?) throws(StoreError) -> Int? {
    let last = SQLiteValue.integer(end?.secondsSince1970 ?? .max)
    // The oldest sample of each wear and ring is first in the key.
    let oldest = try statement(
      """
      WITH first (wear, ring, minute) AS (
        SELECT wear.id, wanted.ring, (
          SELECT min(minute) FROM outbox
          WHERE outbox.sink = ?1 AND outbox.wear = wear.id AND outbox.ring = wanted.ring AND batch IS NULL
            AND \(isDue))
        FROM wear CROSS JOIN (SELECT 0 AS ring, gets_history AS is_wanted FROM sink WHERE id = ?1
          UNION ALL SELECT 1, gets_trend FROM sink WHERE id = ?1) AS wanted WHERE wanted.is_wanted)
      SELECT outbox.wear, outbox.minute, outbox.is_historical FROM first JOIN outbox USING (wear, ring, minute)
        JOIN wear ON wear.id = outbox.wear
        WHERE outbox.sink = ?1 AND wear.activated_at + outbox.minute * 60 <= ?2
        ORDER BY wear.activated_at + outbox.minute * 60, outbox.wear LIMIT 1
      """
    ).first(.integer(sink), last)
    guard let oldest, let wear = oldest[0].integer, let minute = oldest[1].integer else { return nil }
    let row = try newBatch(of: sink)
    try statement(
      """
      UPDATE outbox SET batch = ?1 WHERE sink = ?2 AND (wear, ring, minute) IN (
        SELECT outbox.wear, outbox.ring, outbox.minute FROM outbox JOIN sink ON sink.id = outbox.sink
        WHERE outbox.sink = ?2 AND outbox.wear = ?3 AND outbox.is_historical = ?4 AND outbox.batch IS NULL
          AND \(isDue) AND outbox.minute BETWEEN ?5 AND ?5 + 10079 AND \(Self.isWanted)
          AND (SELECT activated_at FROM wear WHERE id = ?3) + outbox.minute * 60 <= ?7
        ORDER BY outbox.minute, outbox.ring LIMIT ?6)
      """
    ).run(
      .integer(row), .integer(sink), .integer(Int(wear)), oldest[2], .integer(Int(minute)), .integer(max(1, limit)),
      last)
    return row
  }

  /// True if other entries of the batch's stage are queued for the same sink.
  package func hasOthers(besides batch: StoredBatch) throws(StoreError) -> Bool {
    try statement(
      """
      SELECT 1 FROM batch JOIN sink ON sink.id = batch.sink JOIN outbox ON outbox.sink = sink.id
        WHERE batch.id = ?1 AND is_historical = ?2 AND outbox.batch IS NOT ?1 AND \(Self.isWanted) AND \(isDue)
      UNION ALL SELECT 1 FROM batch JOIN entry_outbox AS entry ON entry.sink = batch.sink
        WHERE batch.id = ?1 AND entry.is_historical = ?2 AND entry.batch IS NOT ?1 AND \(Self.entryWaits) LIMIT 1
      """
    ).first(.integer(batch.id.row), .integer(batch.isHistorical ? 1 : 0)) != nil
  }

  /// Removes samples from a batch that have no value yet because their neighbours are missing: they are tried
  /// again when the store has changed after `anchor`. A trend minute that no later scan can complete is dropped.
  package func wait(_ samples: [StoredSample], of batch: StoredBatch, since anchor: StoreAnchor) throws(StoreError) {
    try transaction { () throws(StoreError) in
      let wait = try statement(
        "UPDATE outbox SET batch = NULL, waiting_since = ?4 WHERE batch = ?1 AND ring = ?2 AND minute = ?3")
      for sample in samples {
        let raw = sample.sample.raw
        try wait.run(
          .integer(batch.id.row), .integer(SampleRow.number(raw.ring)), .integer(raw.minute.value),
          .integer(anchor.change))
      }
      try statement(
        """
        DELETE FROM outbox WHERE sink = (SELECT sink FROM batch WHERE id = ?1) AND ring = 1
          AND waiting_since IS NOT NULL AND minute + 16 <= (
            SELECT max(sample.minute) FROM sample WHERE sample.wear = outbox.wear AND sample.ring = 1)
        """
      ).run(.integer(batch.id.row))
    }
  }

  /// Records an attempt to send a batch before it is sent: it may arrive even if this program is killed.
  package func attempt(_ batch: StoredBatch.ID) throws(StoreError) {
    try change("UPDATE batch SET attempts = attempts + 1 WHERE id = ?", .integer(batch.row))
  }

  /// Records a delivery; `records` are those that the receiver can delete later, or with `areOnly` all that it keeps.
  package func delivered(
    _ batch: StoredBatch.ID, at now: Instant, records: [SentRecord] = [], areOnly: Bool = false
  ) throws(StoreError) {
    try transaction { () throws(StoreError) in
      try change(
        """
        UPDATE sink SET failures = 0, retry_at = NULL, is_retry_asked = 0, last_error = NULL, last_success_at = ?2
        WHERE id = (SELECT sink FROM batch WHERE id = ?1)
        """, .integer(batch.row), .instant(now))
      if areOnly, !records.isEmpty {
        try change("DELETE FROM sent WHERE sink = (SELECT sink FROM batch WHERE id = ?)", .integer(batch.row))
      }
      try note(records, of: batch)
      try change("DELETE FROM outbox WHERE batch = ?", .integer(batch.row))
      try change("DELETE FROM entry_outbox WHERE batch = ?", .integer(batch.row))
      try change("DELETE FROM batch WHERE id = ?", .integer(batch.row))
    }
  }

  /// Splits a batch in two, each with a new key; false for a batch of one entry.
  package func halve(_ batch: StoredBatch) throws(StoreError) -> Bool {
    guard batch.entries.count > 1 else { return false }
    try transaction { () throws(StoreError) in
      let sink = try statement("SELECT sink FROM batch WHERE id = ?").first(.integer(batch.id.row))?.first?.integer
      guard let sink else { return }
      let half = batch.entries.count / 2
      for part in [batch.entries[..<half], batch.entries[half...]] {
        let row = try newBatch(of: Int(sink))
        let move = try statement("UPDATE outbox SET batch = ?1 WHERE batch = ?2 AND ring = ?3 AND minute = ?4")
        for entry in part {
          guard case .sensor(let stored) = entry else {
            try self.move(entry, from: batch.id.row, to: row)
            continue
          }
          try move.run(
            .integer(row), .integer(batch.id.row), .integer(SampleRow.number(stored.sample.ring)),
            .integer(stored.sample.minute.value))
        }
      }
      try statement("DELETE FROM batch WHERE id = ?").run(.integer(batch.id.row))
    }
    return true
  }

  func newBatch(of sink: Int) throws(StoreError) -> Int {
    try statement("INSERT INTO batch (sink, key) VALUES (?, randomblob(16))").run(.integer(sink))
    return Int(database.lastInsertedRow)
  }

  private func batch(row: Int) throws(StoreError) -> StoredBatch? {
    let facts = try statement(
      """
      SELECT batch.key, batch.attempts, outbox.is_historical, wear.sensor FROM batch
      JOIN outbox ON outbox.batch = batch.id JOIN wear ON wear.id = outbox.wear WHERE batch.id = ? LIMIT 1
      """
    ).first(.integer(row))
    guard let facts else { return try entryBatch(row: row) }
    let samples = try queued("outbox", "queued.batch = ?", .integer(row)).map(\.sample)
    return StoredBatch(
      id: StoredBatch.ID(row: row), key: facts[0].blob ?? [], attempts: Int(clamping: facts[1].integer ?? 0),
      isHistorical: facts[2].integer == 1, sensor: StoredSensor.ID(row: Int(clamping: facts[3].integer ?? 0)),
      entries: samples.map(HistoryEntry.sensor))
  }
}
