// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import SQLiteAccess

/// Parked entries: refused by a receiver, and kept with the reason until the user decides or the value changes.
extension SensorStore {
  /// The two queues of a sink.
  package enum Queue: String, Hashable, Sendable, CaseIterable {
    case pending
    case dead

    fileprivate var table: String {
      switch self {
      case .pending: "outbox"
      case .dead: "dead_letter"
      }
    }
  }

  /// Parks entries of a batch that the receiver refused or cannot store.
  package func park(
    _ entries: [HistoryEntry], of batch: StoredBatch.ID, reason: String, at now: Instant
  ) throws(StoreError) {
    try transaction { () throws(StoreError) in
      for entry in entries {
        guard case .sensor(let stored) = entry else {
          try park(entry, of: batch.row, reason: reason, at: now)
          continue
        }
        let ring = SQLiteValue.integer(SampleRow.number(stored.sample.ring))
        let minute = SQLiteValue.integer(stored.sample.minute.value)
        try change(
          """
          INSERT OR REPLACE INTO dead_letter (sink, wear, ring, minute, reason, at)
            SELECT sink, wear, ring, minute, ?4, ?5 FROM outbox WHERE batch = ?1 AND ring = ?2 AND minute = ?3
          """, .integer(batch.row), ring, minute, .text(reason), .instant(now))
        try change(
          "DELETE FROM outbox WHERE batch = ? AND ring = ? AND minute = ?", .integer(batch.row), ring, minute)
      }
    }
  }

  /// Returns the parked entries of a sink, oldest first.
  package func parkedEntries(of sink: StoredSink) throws(StoreError) -> [ParkedEntry] {
    let table = "(SELECT *, NULL AS batch FROM dead_letter)"
    let samples = try queued(table, "queued.sink = ?", .integer(sink.id.row), extra: "queued.reason, queued.at").map {
      (entry: HistoryEntry.sensor($0.sample), extra: $0.extra)
    }
    return (samples + (try parkedEntries(of: sink.id.row))).map {
      ParkedEntry(
        sink: sink.name, entry: $0.entry, reason: $0.extra[0].text ?? "",
        at: $0.extra[1].instant ?? Instant(secondsSince1970: 0))
    }.sorted { ($0.entry.time ?? $0.at) < ($1.entry.time ?? $1.at) }
  }

  /// Moves a sink's parked entries back to its outbox, to be sent at once; returns their number.
  package func retryParked(of sink: StoredSink.ID) throws(StoreError) -> Int {
    try transaction { () throws(StoreError) in
      try change(
        """
        INSERT INTO outbox (sink, wear, ring, minute, is_historical)
          SELECT sink.id, wear.id, dead_letter.ring, dead_letter.minute,
            wear.activated_at + dead_letter.minute * 60 < sink.enrolled_at
          FROM dead_letter JOIN sink ON sink.id = dead_letter.sink JOIN wear ON wear.id = dead_letter.wear
          WHERE dead_letter.sink = ? AND wear.activated_at IS NOT NULL
        """, .integer(sink.row))
      // Requests again that the receiver delete records that it refused to delete.
      try change("UPDATE sent SET state = 1 WHERE sink = ? AND state = 2", .integer(sink.row))
      let entries = try unparkEntries(of: sink.row)
      return entries + (try drop(.dead, of: sink))
    }
  }

  /// Deletes a queue of a sink: its entries are sent only if they change. Returns their number.
  package func drop(_ queue: Queue, of sink: StoredSink.ID) throws(StoreError) -> Int {
    try transaction { () throws(StoreError) in
      try change("DELETE FROM \(queue.table) WHERE sink = ?", .integer(sink.row))
      var dropped = database.changes
      try change(
        "DELETE FROM entry_outbox WHERE sink = ? AND parked_for IS \(queue == .dead ? "NOT " : "")NULL",
        .integer(sink.row))
      dropped += database.changes
      if queue == .pending { try change("DELETE FROM batch WHERE sink = ?", .integer(sink.row)) }
      return dropped
    }
  }

  /// Returns the samples of an outbox table with their times, oldest first, and the values of other columns.
  func queued(
    _ table: String, _ condition: String, _ value: SQLiteValue, extra: String = "NULL"
  ) throws(StoreError) -> [(sample: StoredSample, extra: [SQLiteValue])] {
    let found = try statement(
      """
      SELECT wear.activated_at + sample.minute * 60, wear.id, \(SampleRow.qualified()), \(extra)
      FROM \(table) AS queued JOIN sample USING (wear, ring, minute) JOIN wear ON wear.id = queued.wear
      WHERE \(condition) ORDER BY wear.activated_at + sample.minute * 60, wear.id, sample.ring
      """
    ).all(value) { row in
      (
        wear: row.integer(1), time: row.instantOrNil(0), row: SampleRow(row, first: 2),
        extra: Array(row.values[(2 + Int(SampleRow.count))...])
      )
    }
    var samples: [(sample: StoredSample, extra: [SQLiteValue])] = []
    var wears: [Int: (sensor: SensorIdentity, number: Int)] = [:]
    for entry in found {
      if wears[entry.wear] == nil { wears[entry.wear] = try wear(entry.wear) }
      guard let wear = wears[entry.wear] else { continue }
      var sample = entry.row.sample
      sample.time = entry.time
      let stored = StoredSample(
        sensor: wear.sensor, wear: wear.number, sample: sample,
        calibration: try entry.row.calibration.flatMap(calibration), isSalvaged: entry.row.isSalvaged)
      samples.append((stored, entry.extra))
    }
    return samples
  }
}
