// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import HostSystem

/// Queued entries of each sink, recorded one by one because a late scan fills gaps behind the newest value.
extension SensorStore {
  /// SQL condition for a row of `outbox` that may be sent: not parked, not held, and not waiting for a change of the store.
  static let isQueued = """
    (outbox.parked_for IS NULL AND NOT outbox.is_held
      AND (outbox.waiting_since IS NULL OR outbox.waiting_since < (SELECT change FROM store)))
    """

  /// SQL expression for the time of a row of `outbox`, with its `wear` if it has one.
  static let queuedTime = "coalesce(outbox.time, wear.activated_at + outbox.minute * 60)"

  // MARK: Filling

  /// Adds entries stored or changed since the last call to a sink's outbox, and removes samples that may not be sent
  /// any more. Queues only samples that count (`SupersededSpan`), with a firm time, a value and quality `ok`, from a
  /// body with a valid checksum, of a sensor with a known UID. Holds back queued entries that are not in `rings` or
  /// `kinds`, and imported values of `ignored` sources.
  package func fillOutbox(
    of sink: StoredSink.ID, rings: Set<SampleRing>, kinds: Set<EntryKind> = [], ignoring ignored: Set<String> = []
  ) throws(StoreError) {
    try transaction { () throws(StoreError) in
      for ring in SampleRing.allCases {
        try fill(sink.row, SampleRow.number(ring), isWanted: rings.contains(ring), ignoring: [])
      }
      for kind in EntryKind.allCases {
        try fill(sink.row, kind.rawValue, isWanted: kinds.contains(kind), ignoring: kind == .imported ? ignored : [])
      }
    }
  }

  private func fill(_ sink: Int, _ kind: Int, isWanted: Bool, ignoring ignored: Set<String>) throws(StoreError) {
    let key = [SQLiteValue.integer(sink), .integer(kind)]
    try run(
      "UPDATE sink_kind SET is_wanted = ?3 WHERE sink = ?1 AND kind = ?2 AND is_wanted <> ?3",
      key + [.integer(isWanted ? 1 : 0)])
    let isOther = database.changes > 0
    let row = try first("SELECT cursor, (SELECT change FROM store) FROM sink_kind WHERE sink = ? AND kind = ?", key)
    // Usually nothing has changed, and nothing is written.
    if isWanted, let row, row[0] != row[1] {
      if kind < EntryKind.imported.rawValue {
        try queueSamples(key, since: row[0])
      } else {
        try run(
          """
          INSERT OR REPLACE INTO outbox (sink, kind, entry, time, is_historical)
            SELECT sink.id, entry.kind, entry.id, entry.time, entry.time < sink.enrolled_at FROM sink CROSS JOIN entry
            WHERE sink.id = ?1 AND entry.kind = ?2 AND entry.change > ?3 AND entry.time >= sink.sends_from
          """, key + [row[0]])
      }
      try run("UPDATE sink_kind SET cursor = ?3 WHERE sink = ?1 AND kind = ?2", key + [row[1]])
    }
    if isOther || kind == EntryKind.imported.rawValue { try holdBack(key, all: !isWanted, from: ignored) }
  }

  private func queueSamples(_ key: [SQLiteValue], since cursor: SQLiteValue) throws(StoreError) {
    let (columns, isSendable) = (Self.outboxColumns, Self.isSendable)
    if cursor == .integer(-1) {
      // The first time by the wears' keys, so that the cost depends on the requested days, not on the store's age.
      try run(
        """
        INSERT INTO outbox (sink, wear, kind, minute, is_historical) SELECT \(columns)
          FROM sink CROSS JOIN wear CROSS JOIN sensor ON sensor.id = wear.sensor CROSS JOIN sample ON sample.wear = wear.id
          WHERE sink.id = ?1 AND sample.ring = ?2 AND wear.activated_at + 65535 * 60 >= sink.sends_from
            AND sample.minute >= (sink.sends_from - wear.activated_at) / 60 AND \(isSendable)
        """, key)
    } else {
      let changed = """
        FROM sample CROSS JOIN wear ON wear.id = sample.wear CROSS JOIN sensor ON sensor.id = wear.sensor
        CROSS JOIN sink ON sink.id = ?1 WHERE sample.change > ?3 AND sample.ring = ?2
        """
      try run(
        "DELETE FROM outbox WHERE sink = ?1 AND wear IS NOT NULL AND (wear, kind, minute) IN (SELECT \(Self.sampleKey) \(changed))",
        key + [cursor])
      try run(
        "INSERT INTO outbox (sink, wear, kind, minute, is_historical) SELECT \(columns) \(changed) AND \(isSendable)",
        key + [cursor])
    }
    try removeSuperseded(key)
  }

  private static let sampleKey = "sample.wear, sample.ring, sample.minute"

  /// Values of a new row of `outbox`, from `sink`, `wear` and `sample`.
  private static let outboxColumns =
    "sink.id, \(sampleKey), wear.activated_at + sample.minute * 60 < sink.enrolled_at"

  /// SQL condition for a row of `sample`, with its `wear`, `sensor` and `sink`.
  static let isSendable = """
    \(SampleRow.isUsable) AND NOT sample.is_salvaged AND sensor.uid IS NOT NULL
      AND wear.doubt IS NULL
      AND wear.activated_at + sample.minute * 60 >= sink.sends_from
    """

  /// Queues the samples of a minute again, although they were sent; false if the sink may not get them.
  package func queueAgain(
    _ newest: NewestSample, rings: Set<SampleRing>, for sink: StoredSink.ID
  ) throws(StoreError) -> Bool {
    try transaction { () throws(StoreError) in
      guard let wear = try wearRow(newest.sensor, newest.wear) else { return false }
      try run(
        """
        INSERT INTO outbox (sink, wear, kind, minute, is_historical) SELECT \(Self.outboxColumns)
          FROM sink CROSS JOIN wear ON wear.id = ?2 CROSS JOIN sensor ON sensor.id = wear.sensor
          CROSS JOIN sample ON sample.wear = wear.id AND sample.minute = ?3
            AND sample.ring IN (\(SampleRow.numbers(rings)))
          WHERE sink.id = ?1 AND \(Self.isSendable)
          ON CONFLICT DO UPDATE SET parked_for = NULL, parked_at = NULL WHERE parked_for IS NOT NULL
        """, .integer(sink.row), .integer(wear), .integer(newest.minute.value))
      return database.changes > 0
    }
  }

  /// Removes samples that do not count, which are few and easier to find when they are queued.
  private func removeSuperseded(_ key: [SQLiteValue]) throws(StoreError) {
    let wears = try statement("SELECT DISTINCT wear FROM outbox WHERE sink = ? AND kind = ? AND wear IS NOT NULL")
      .all(key[0], key[1]) { $0.integer(0) }
    for wear in wears {
      for span in try supersededSpans(ofWear: wear) {
        try run(
          "DELETE FROM outbox WHERE sink = ? AND kind = ? AND wear = ? AND minute BETWEEN ? AND ?",
          key + [.integer(wear), .integer(span.minutes.lowerBound), .integer(span.minutes.upperBound)])
      }
    }
  }

  /// Holds back a kind, or its entries from these sources: the rows stay, and get a batch of their own if they are wanted
  /// again. Releases all others.
  private func holdBack(_ key: [SQLiteValue], all: Bool, from ignored: Set<String>) throws(StoreError) {
    var isHeld = all ? "TRUE" : "FALSE"
    if !all, !ignored.isEmpty {
      let marks = (3..<3 + ignored.count).map { "?\($0)" }.joined(separator: ", ")
      isHeld = "(SELECT source IN (\(marks)) FROM entry WHERE entry.id = outbox.entry)"
    }
    try run(
      """
      UPDATE outbox SET is_held = \(isHeld), batch = CASE WHEN \(isHeld) THEN NULL ELSE batch END
        WHERE sink = ?1 AND kind = ?2 AND is_held IS NOT \(isHeld)
      """, key + ignored.sorted().map { .text($0) })
  }

  // MARK: Batches

  /// Returns the next batch to send: a batch that was begun, otherwise the oldest samples, at most `limit` of one wear
  /// and one week, otherwise the oldest other entries. The batch is on disk before it is returned, and its times do not
  /// change afterwards. A new batch contains no sample after `end`: a clock that was wrong at a scan must not send
  /// future values. They stay in the outbox until their time has come.
  package func nextBatch(
    of sink: StoredSink.ID, limit: Int, until end: Instant? = nil
  ) throws(StoreError) -> StoredBatch? {
    try transaction { () throws(StoreError) in
      // Members of a batch may have been removed, and changed ones come in another batch.
      try run(
        "DELETE FROM batch WHERE sink = ?1 AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.batch = batch.id)",
        .integer(sink.row))
      // If a batch was halved, the rest of the older half comes first.
      let begun = try first(
        """
        SELECT batch.id, batch.attempts FROM batch WHERE batch.sink = ? ORDER BY batch.attempts >= \(StoredBatch.manyAttempts), (
          SELECT min(\(Self.queuedTime)) FROM outbox LEFT JOIN wear ON wear.id = outbox.wear
          WHERE outbox.batch = batch.id), batch.id LIMIT 1
        """, .integer(sink.row))
      let begunRow = begun?[0].integer.map(Int.init)
      if let begunRow, begun?[1].integer ?? 0 < StoredBatch.manyAttempts { return try batch(row: begunRow) }
      let last = SQLiteValue.integer(end?.secondsSince1970 ?? .max)
      if let row = try beginSampleBatch(of: sink.row, limit: limit, until: last) { return try batch(row: row) }
      let entries = try beginEntryBatch(of: sink.row, limit: limit, until: last)
      guard let row = entries ?? begunRow else { return nil }
      return try batch(row: row)
    }
  }

  /// Returns the number of queued entries after a time, and the time of the last; nil without one.
  package func queued(of sink: StoredSink.ID, after end: Instant) throws(StoreError) -> (count: Int, last: Instant)? {
    let row = try first(
      """
      SELECT count(*), max(\(Self.queuedTime)) FROM outbox LEFT JOIN wear ON wear.id = outbox.wear
      WHERE outbox.sink = ? AND \(Self.isQueued) AND \(Self.queuedTime) > ?
      """, .integer(sink.row), .instant(end))
    guard let row, let count = row[0].integer, let last = row[1].instant else { return nil }
    return (Int(count), last)
  }

  /// Moves the oldest samples without a batch into a new one; nil if none is queued.
  private func beginSampleBatch(of sink: Int, limit: Int, until last: SQLiteValue) throws(StoreError) -> Int? {
    // The oldest sample of each wear and ring is first in the index.
    let oldest = try first(
      """
      WITH first (wear, kind, minute) AS (
        SELECT wear.id, wanted.kind, (
          SELECT min(minute) FROM outbox
          WHERE outbox.sink = ?1 AND outbox.wear = wear.id AND outbox.kind = wanted.kind AND batch IS NULL
            AND \(Self.isQueued))
        FROM wear CROSS JOIN sink_kind AS wanted ON wanted.sink = ?1 AND wanted.kind IN (0, 1) AND wanted.is_wanted)
      SELECT outbox.wear, outbox.minute, outbox.is_historical FROM first JOIN outbox USING (wear, kind, minute)
        JOIN wear ON wear.id = outbox.wear
        WHERE outbox.sink = ?1 AND wear.activated_at + outbox.minute * 60 <= ?2
        ORDER BY wear.activated_at + outbox.minute * 60, outbox.wear LIMIT 1
      """, .integer(sink), last)
    guard let oldest else { return nil }
    let row = try newBatch(of: sink)
    try run(
      """
      UPDATE outbox SET batch = ?1 WHERE number IN (
        SELECT outbox.number FROM outbox WHERE outbox.sink = ?2 AND outbox.wear = ?3 AND outbox.is_historical = ?4
          AND outbox.batch IS NULL AND \(Self.isQueued) AND outbox.minute BETWEEN ?5 AND ?5 + 10079
          AND (SELECT activated_at FROM wear WHERE id = ?3) + outbox.minute * 60 <= ?7
        ORDER BY outbox.minute, outbox.kind LIMIT ?6)
      """, .integer(row), .integer(sink), oldest[0], oldest[2], oldest[1], .integer(max(1, limit)), last)
    return row
  }

  /// Moves the oldest other entries without a batch into a new one, at most `limit` of one week; nil if none is queued.
  /// Blood pressure and glucose are in different batches.
  private func beginEntryBatch(of sink: Int, limit: Int, until last: SQLiteValue) throws(StoreError) -> Int? {
    let isPressure = "(outbox.kind = \(EntryKind.bloodPressure.rawValue))"
    let isNext = """
      outbox.entry IS NOT NULL AND outbox.sink = ?1 AND outbox.batch IS NULL AND \(Self.isQueued) AND outbox.time <= ?2
      """
    let oldest = try first(
      "SELECT time, is_historical, \(isPressure) FROM outbox WHERE \(isNext) ORDER BY time LIMIT 1", .integer(sink),
      last)
    guard let oldest else { return nil }
    let row = try newBatch(of: sink)
    try run(
      """
      UPDATE outbox SET batch = ?3 WHERE number IN (
        SELECT outbox.number FROM outbox WHERE \(isNext) AND outbox.is_historical = ?4 AND \(isPressure) = ?7
          AND outbox.time < ?5 + 7 * 86400 ORDER BY outbox.time, outbox.entry LIMIT ?6)
      """, .integer(sink), last, .integer(row), oldest[1], oldest[0], .integer(max(1, limit)), oldest[2])
    return row
  }

  private func newBatch(of sink: Int) throws(StoreError) -> Int {
    try run("INSERT INTO batch (sink, key) VALUES (?, randomblob(16))", .integer(sink))
    return Int(database.lastInsertedRow)
  }

  private func batch(row: Int) throws(StoreError) -> StoredBatch? {
    let facts = try first(
      """
      SELECT batch.key, batch.attempts, outbox.is_historical, wear.sensor FROM batch
      JOIN outbox ON outbox.batch = batch.id LEFT JOIN wear ON wear.id = outbox.wear WHERE batch.id = ? LIMIT 1
      """, .integer(row))
    guard let facts else { return nil }
    return StoredBatch(
      id: StoredBatch.ID(row: row), key: facts[0].blob ?? [], attempts: Int(clamping: facts[1].integer ?? 0),
      isHistorical: facts[2].integer == 1, sensor: facts[3].integer.map { StoredSensor.ID(row: Int($0)) },
      entries: try queued("outbox.batch = ?", .integer(row)).map(\.entry))
  }

  package func hasOthers(besides batch: StoredBatch) throws(StoreError) -> Bool {
    try exists(
      """
      SELECT 1 FROM batch JOIN outbox ON outbox.sink = batch.sink
        WHERE batch.id = ?1 AND is_historical = ?2 AND outbox.batch IS NOT ?1 AND \(Self.isQueued) LIMIT 1
      """, .integer(batch.id.row), .integer(batch.isHistorical ? 1 : 0))
  }

  /// SQL condition for the row of an entry in a batch, with the values that it binds.
  func row(of entry: HistoryEntry, in batch: StoredBatch.ID) -> (isIt: String, values: [SQLiteValue]) {
    guard let sample = entry.stored?.sample else {
      return ("batch = ? AND entry = ?", [.integer(batch.row), .blob(orNull: entry.id?.bytes)])
    }
    return (
      "batch = ? AND kind = ? AND minute = ?",
      [.integer(batch.row), .integer(SampleRow.number(sample.ring)), .integer(sample.minute.value)]
    )
  }

  /// Removes samples from a batch that have no value yet because their neighbours are missing: they are tried
  /// again when the store has changed after `anchor`. A trend minute that no later scan can complete is dropped.
  package func wait(_ samples: [StoredSample], of batch: StoredBatch, since anchor: StoreAnchor) throws(StoreError) {
    try transaction { () throws(StoreError) in
      for sample in samples {
        let (isIt, values) = row(of: .sensor(sample), in: batch.id)
        try run("UPDATE outbox SET batch = NULL, waiting_since = ? WHERE \(isIt)", [.integer(anchor.change)] + values)
      }
      try run(
        """
        DELETE FROM outbox WHERE sink = (SELECT sink FROM batch WHERE id = ?1) AND kind = 1
          AND waiting_since IS NOT NULL AND minute + 16 <= (
            SELECT max(sample.minute) FROM sample WHERE sample.wear = outbox.wear AND sample.ring = 1)
        """, .integer(batch.id.row))
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
      guard let sink = try integer("SELECT sink FROM batch WHERE id = ?", .integer(batch.row)) else { return }
      try succeed(StoredSink.ID(row: sink), at: now)
      if areOnly, !records.isEmpty { try change("DELETE FROM sent WHERE sink = ?", .integer(sink)) }
      try note(records, of: batch)
      try change("DELETE FROM outbox WHERE batch = ?", .integer(batch.row))
      try change("DELETE FROM batch WHERE id = ?", .integer(batch.row))
    }
  }

  /// Records that a receiver has taken something: the count of failures begins anew.
  package func succeed(_ sink: StoredSink.ID, at now: Instant) throws(StoreError) {
    try change(
      """
      UPDATE sink SET failures = 0, retry_at = NULL, is_retry_asked = 0, last_error = NULL, last_success_at = ?2
      WHERE id = ?1
      """, .integer(sink.row), .instant(now))
  }

  /// Splits a batch in two, each with a new key; false for a batch of one entry.
  package func halve(_ batch: StoredBatch) throws(StoreError) -> Bool {
    guard batch.entries.count > 1 else { return false }
    try transaction { () throws(StoreError) in
      guard let sink = try integer("SELECT sink FROM batch WHERE id = ?", .integer(batch.id.row)) else { return }
      let half = batch.entries.count / 2
      for part in [batch.entries[..<half], batch.entries[half...]] {
        let new = try newBatch(of: sink)
        for entry in part {
          let (isIt, values) = row(of: entry, in: batch.id)
          try run("UPDATE outbox SET batch = ? WHERE \(isIt)", [.integer(new)] + values)
        }
      }
      try run("DELETE FROM batch WHERE id = ?", .integer(batch.id.row))
    }
    return true
  }
}
