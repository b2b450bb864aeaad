// SPDX-License-Identifier: Apache-2.0
import CGMModel
import SQLiteAccess

/// Imported values, finger-sticks and blood pressures in the outbox, next to the sensors' samples.
extension SensorStore {
  /// SQL condition for a row `entry` of `entry_outbox` that is to be sent.
  static let entryWaits = "(entry.parked_for IS NULL AND NOT entry.is_held)"

  /// Adds entries stored since the last call to the outbox, and holds back those that the sink does not get now.
  func fill(_ sink: Int, _ kind: EntryKind, isWanted: Bool, ignoring ignored: Set<String>) throws(StoreError) {
    let (id, word) = (SQLiteValue.integer(sink), SQLiteValue.text(kind.rawValue))
    let row = try statement("SELECT \(kind.cursor), (SELECT change FROM store) FROM sink WHERE id = ?").first(id)
    if isWanted, let row, row[0] != row[1] {
      try statement(
        """
        INSERT OR REPLACE INTO entry_outbox (sink, id, kind, time, is_historical)
          SELECT sink.id, entry.id, ?2, entry.time, entry.time < sink.enrolled_at
          FROM sink CROSS JOIN \(kind.rawValue) AS entry
          WHERE sink.id = ?1 AND entry.change > ?3 AND entry.time >= sink.sends_from
        """
      ).run(id, word, row[0])
      try statement("UPDATE sink SET \(kind.cursor) = ?2 WHERE id = ?1").run(id, row[1])
    }
    var values = [id, word]
    var isHeld = isWanted ? "FALSE" : "TRUE"
    if isWanted, kind == .imported, !ignored.isEmpty {
      values += ignored.sorted().map { .text($0) }
      let marks = ignored.indices.enumerated().map { "?\($0.offset + 3)" }.joined(separator: ", ")
      isHeld = "(SELECT source IN (\(marks)) FROM imported WHERE imported.id = entry_outbox.id)"
    }
    try statement(
      """
      UPDATE entry_outbox SET is_held = \(isHeld), batch = CASE WHEN \(isHeld) THEN NULL ELSE batch END
        WHERE sink = ?1 AND kind = ?2 AND is_held IS NOT \(isHeld)
      """
    ).run(values)
  }

  private static let isPressure = "(kind = 'blood_pressure')"

  /// Moves the oldest entries without a batch into a new one, at most `limit` of one week; nil if none is queued.
  /// Blood pressure and glucose are in different batches.
  func beginEntryBatch(of sink: Int, limit: Int, until end: Instant?) throws(StoreError) -> Int? {
    let last = SQLiteValue.integer(end?.secondsSince1970 ?? .max)
    let waits = "entry.sink = ?1 AND entry.batch IS NULL AND \(Self.entryWaits) AND entry.time <= ?2"
    let oldest = try statement(
      "SELECT time, is_historical, \(Self.isPressure) FROM entry_outbox AS entry WHERE \(waits) ORDER BY time LIMIT 1"
    ).first(.integer(sink), last)
    guard let oldest else { return nil }
    let row = try newBatch(of: sink)
    try statement(
      """
      UPDATE entry_outbox SET batch = ?3 WHERE sink = ?1 AND id IN (
        SELECT id FROM entry_outbox AS entry WHERE \(waits) AND is_historical = ?4 AND \(Self.isPressure) = ?7
          AND time < ?5 + 7 * 86400 ORDER BY time, id LIMIT ?6)
      """
    ).run(.integer(sink), last, .integer(row), oldest[1], oldest[0], .integer(max(1, limit)), oldest[2])
    return row
  }

  /// Returns a batch of entries; nil if it has none.
  func entryBatch(row: Int) throws(StoreError) -> StoredBatch? {
    let facts = try statement(
      """
      SELECT batch.key, batch.attempts, entry.is_historical FROM batch
      JOIN entry_outbox AS entry ON entry.batch = batch.id WHERE batch.id = ? LIMIT 1
      """
    ).first(.integer(row))
    guard let facts else { return nil }
    return StoredBatch(
      id: StoredBatch.ID(row: row), key: facts[0].blob ?? [], attempts: Int(clamping: facts[1].integer ?? 0),
      isHistorical: facts[2].integer == 1, sensor: nil,
      entries: try queuedEntries("entry.batch = ?", .integer(row)).map(\.entry))
  }

  func move(_ entry: HistoryEntry, from batch: Int, to other: Int) throws(StoreError) {
    try statement("UPDATE entry_outbox SET batch = ?1 WHERE batch = ?2 AND id = ?3")
      .run(.integer(other), .integer(batch), .blob(orNull: entry.id?.bytes))
  }

  func park(_ entry: HistoryEntry, of batch: Int, reason: String, at now: Instant) throws(StoreError) {
    try statement("UPDATE entry_outbox SET batch = NULL, parked_for = ?3, parked_at = ?4 WHERE batch = ?1 AND id = ?2")
      .run(.integer(batch), .blob(orNull: entry.id?.bytes), .text(reason), .instant(now))
  }

  func parkedEntries(of sink: Int) throws(StoreError) -> [(entry: HistoryEntry, extra: [SQLiteValue])] {
    guard hasEntryOutbox else { return [] }
    return try queuedEntries("entry.sink = ? AND entry.parked_for IS NOT NULL", .integer(sink))
  }

  /// Puts parked entries back and returns their number.
  func unparkEntries(of sink: Int) throws(StoreError) -> Int {
    try change(
      "UPDATE entry_outbox SET parked_for = NULL, parked_at = NULL WHERE sink = ? AND parked_for IS NOT NULL",
      .integer(sink))
    return database.changes
  }

  /// Returns entries in the order of time; parked ones with their reason and time.
  private func queuedEntries(
    _ condition: String, _ value: SQLiteValue
  ) throws(StoreError) -> [(entry: HistoryEntry, extra: [SQLiteValue])] {
    let pressures =
      hasMeters
      ? """
      UNION ALL SELECT entry.parked_for, entry.parked_at, 3, entry.time, NULL, \(Self.bloodPressureColumns)
        FROM entry_outbox AS entry JOIN blood_pressure USING (id) WHERE \(condition)

      """ : ""
    let rows = try statement(
      """
      SELECT entry.parked_for, entry.parked_at, 1, entry.time, NULL, ring, id, source, device, glucose_mg_dl, bound,
          NULL, NULL, NULL
        FROM entry_outbox AS entry JOIN imported USING (id) WHERE \(condition)
      UNION ALL SELECT entry.parked_for, entry.parked_at, 2, entry.time, NULL, id, glucose_mg_dl, note, source, NULL, NULL,
          NULL, NULL, NULL
        FROM entry_outbox AS entry JOIN finger_stick USING (id) WHERE \(condition)
      \(pressures)ORDER BY 4, 3
      """)
    rows.bind(hasMeters ? [value, value, value] : [value, value])
    defer { rows.reset() }
    var found: [(entry: HistoryEntry, extra: [SQLiteValue])] = []
    while try rows.step() {
      guard let entry = Self.entryOfOthers(in: rows, first: 2) else { continue }
      found.append((entry, [rows.value(0), rows.value(1)]))
    }
    return found
  }
}
