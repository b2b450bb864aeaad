// SPDX-License-Identifier: Apache-2.0
public import CGMModel
import SQLiteAccess

/// What each sink lacks: per sample, not "since when", because a late scan fills gaps behind the newest value.
extension SensorStore {
  /// Puts into a sink's outbox what was added or changed since it was last asked, and takes out what may not be sent any
  /// more.
  ///
  /// Only samples with a time, a value and quality `ok`, from a body whose checksum held, of a sensor whose UID is known.
  /// A ring that is no longer among `rings` is taken out; should it come back, all of it is sent.
  public func fillOutbox(of sink: StoredSink.ID, rings: Set<SampleRing>) throws(StoreError) {
    try transaction { () throws(StoreError) in
      try perform { () throws(SQLiteFailure) in
        for ring in SampleRing.allCases {
          if rings.contains(ring) { try fill(sink.row, ring) } else { try leaveOut(ring, of: sink.row) }
        }
      }
    }
  }

  private func fill(_ sink: Int, _ ring: SampleRing) throws(SQLiteFailure) {
    let (number, cursor) = (SQLiteValue.integer(SampleRow.number(ring)), Self.cursor(of: ring))
    // Most of the time nothing has changed, and nothing is written.
    let state = try statement("SELECT \(cursor) = (SELECT change FROM store) FROM sink WHERE id = ?")
    guard try state.first(.integer(sink))?.first?.integer == 0 else { return }
    let changed = """
      FROM sample CROSS JOIN wear ON wear.id = sample.wear CROSS JOIN sensor ON sensor.id = wear.sensor
      CROSS JOIN sink ON sink.id = ?1 WHERE sample.change > (SELECT \(cursor) FROM sink WHERE id = ?1)
        AND sample.ring = ?2
      """
    let isSendable = """
      sample.quality = 'ok' AND sample.glucose_mg_dl IS NOT NULL AND NOT sample.is_salvaged
        AND sensor.uid IS NOT NULL AND wear.activated_at + sample.minute * 60 >= sink.sends_from
      """
    let key = "sample.wear, sample.ring, sample.minute"
    for table in ["outbox", "dead_letter"] {
      try statement("DELETE FROM \(table) WHERE sink = ?1 AND (wear, ring, minute) IN (SELECT \(key) \(changed))")
        .run(.integer(sink), number)
    }
    try statement(
      """
      INSERT INTO outbox (sink, wear, ring, minute, is_historical)
        SELECT ?1, \(key), wear.activated_at + sample.minute * 60 < sink.enrolled_at \(changed) AND \(isSendable)
      """
    ).run(.integer(sink), number)
    try statement("UPDATE sink SET \(cursor) = (SELECT change FROM store) WHERE id = ?").run(.integer(sink))
  }

  private func leaveOut(_ ring: SampleRing, of sink: Int) throws(SQLiteFailure) {
    try statement("DELETE FROM outbox WHERE sink = ? AND ring = ?")
      .run(.integer(sink), .integer(SampleRow.number(ring)))
    let cursor = Self.cursor(of: ring)
    try statement("UPDATE sink SET \(cursor) = -1 WHERE id = ? AND \(cursor) >= 0").run(.integer(sink))
  }

  private static func cursor(of ring: SampleRing) -> String {
    switch ring {
    case .history: "history_cursor"
    case .trend: "trend_cursor"
    }
  }

  /// The batch that is to be sent next: one that was begun, else the oldest samples, at most `limit` of one wear and one
  /// week; nil if nothing is left. It is on the disk before it is returned.
  public func nextBatch(of sink: StoredSink.ID, limit: Int) throws(StoreError) -> StoredBatch? {
    try transaction { () throws(StoreError) in
      try perform { () throws(SQLiteFailure) in
        // Members of a batch may have been taken out, and those that changed come in another one.
        try statement(
          "DELETE FROM batch WHERE sink = ?1 AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.batch = batch.id)"
        ).run(.integer(sink.row))
        // The oldest of several: of a batch that goes in halves, the rest of the older half comes first.
        let begun = try statement(
          """
          SELECT batch.id FROM batch WHERE batch.sink = ? ORDER BY (
            SELECT min(wear.activated_at + outbox.minute * 60) FROM outbox JOIN wear ON wear.id = outbox.wear
            WHERE outbox.batch = batch.id), batch.id LIMIT 1
          """
        ).first(.integer(sink.row))?.first?.integer
        if let begun { return try batch(row: Int(begun)) }
        let oldest = try statement(
          """
          SELECT outbox.wear, outbox.minute, outbox.is_historical FROM outbox JOIN wear ON wear.id = outbox.wear
          WHERE outbox.sink = ? ORDER BY wear.activated_at + outbox.minute * 60, outbox.wear LIMIT 1
          """
        ).first(.integer(sink.row))
        guard let oldest, let wear = oldest[0].integer, let minute = oldest[1].integer else { return nil }
        let row = try newBatch(of: sink.row)
        try statement(
          """
          UPDATE outbox SET batch = ?1 WHERE sink = ?2 AND (wear, ring, minute) IN (
            SELECT wear, ring, minute FROM outbox WHERE sink = ?2 AND wear = ?3 AND is_historical = ?4
              AND minute < ?5 + 10080 ORDER BY minute, ring LIMIT ?6)
          """
        ).run(
          .integer(row), .integer(sink.row), .integer(Int(wear)), oldest[2], .integer(Int(minute)),
          .integer(max(1, limit)))
        return try batch(row: row)
      }
    }
  }

  /// Notes that a batch is about to be sent: it may arrive whatever becomes of us.
  public func attempt(_ batch: StoredBatch.ID) throws(StoreError) {
    try change("UPDATE batch SET attempts = attempts + 1 WHERE id = ?", .integer(batch.row))
  }

  /// The receiver has it.
  public func delivered(_ batch: StoredBatch.ID, at now: Instant) throws(StoreError) {
    try transaction { () throws(StoreError) in
      try change(
        """
        UPDATE sink SET failures = 0, retry_at = NULL, is_retry_asked = 0, last_error = NULL, last_success_at = ?2
        WHERE id = (SELECT sink FROM batch WHERE id = ?1)
        """, .integer(batch.row), .instant(now))
      try change("DELETE FROM outbox WHERE batch = ?", .integer(batch.row))
      try change("DELETE FROM batch WHERE id = ?", .integer(batch.row))
    }
  }

  /// Makes two batches of one, each with a key of its own; a sample by itself cannot be halved: false.
  public func halve(_ batch: StoredBatch) throws(StoreError) -> Bool {
    guard batch.samples.count > 1 else { return false }
    try transaction { () throws(StoreError) in
      try perform { () throws(SQLiteFailure) in
        let sink = try statement("SELECT sink FROM batch WHERE id = ?").first(.integer(batch.id.row))?.first?.integer
        guard let sink else { return }
        let half = batch.samples.count / 2
        for part in [batch.samples[..<half], batch.samples[half...]] {
          let row = try newBatch(of: Int(sink))
          let move = try statement("UPDATE outbox SET batch = ?1 WHERE batch = ?2 AND ring = ?3 AND minute = ?4")
          for stored in part {
            try move.run(
              .integer(row), .integer(batch.id.row), .integer(SampleRow.number(stored.sample.ring)),
              .integer(stored.sample.minute.value))
          }
        }
        try statement("DELETE FROM batch WHERE id = ?").run(.integer(batch.id.row))
      }
    }
    return true
  }

  private func newBatch(of sink: Int) throws(SQLiteFailure) -> Int {
    try statement("INSERT INTO batch (sink, key) VALUES (?, randomblob(16))").run(.integer(sink))
    return Int(database.lastInsertedRow)
  }

  private func batch(row: Int) throws(SQLiteFailure) -> StoredBatch? {
    let facts = try statement(
      """
      SELECT batch.key, batch.attempts, outbox.is_historical, wear.sensor FROM batch
      JOIN outbox ON outbox.batch = batch.id JOIN wear ON wear.id = outbox.wear WHERE batch.id = ? LIMIT 1
      """
    ).first(.integer(row))
    guard let facts else { return nil }
    let samples = try queued("outbox", "queued.batch = ?", .integer(row)).map(\.sample)
    return StoredBatch(
      id: StoredBatch.ID(row: row), key: facts[0].blob ?? [], attempts: Int(clamping: facts[1].integer ?? 0),
      isHistorical: facts[2].integer == 1, sensor: StoredSensor.ID(row: Int(clamping: facts[3].integer ?? 0)),
      samples: samples)
  }
}
