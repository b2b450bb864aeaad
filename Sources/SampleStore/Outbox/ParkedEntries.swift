// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import HostSystem

/// Parked entries: refused by a receiver, and kept with the reason until the user decides or the value changes.
extension SensorStore {
  package enum Queue: Hashable, Sendable {
    case queued, parked
  }

  package func park(
    _ entries: [HistoryEntry], of batch: StoredBatch.ID, reason: String, at now: Instant
  ) throws(StoreError) {
    try transaction { () throws(StoreError) in
      for entry in entries {
        let (isIt, values) = row(of: entry, in: batch)
        try run(
          "UPDATE outbox SET batch = NULL, waiting_since = NULL, parked_for = ?, parked_at = ? WHERE \(isIt)",
          [.text(reason), .instant(now)] + values)
      }
    }
  }

  package func parkedEntries(of sink: StoredSink) throws(StoreError) -> [ParkedEntry] {
    try queued("outbox.sink = ? AND outbox.parked_for IS NOT NULL", .integer(sink.id.row)).map {
      ParkedEntry(
        sink: sink.name, entry: $0.entry, reason: $0.parked[0].text ?? "",
        at: $0.parked[1].instant ?? Instant(secondsSince1970: 0))
    }.sorted { ($0.entry.time ?? $0.at) < ($1.entry.time ?? $1.at) }
  }

  /// Moves a sink's parked entries back to its outbox, to be sent at once; returns their number.
  package func retryParked(of sink: StoredSink.ID) throws(StoreError) -> Int {
    try transaction { () throws(StoreError) in
      // Requests again that the receiver delete records that it refused to delete.
      try change("UPDATE sent SET state = 1 WHERE sink = ? AND state = 2", .integer(sink.row))
      try change(
        "UPDATE outbox SET parked_for = NULL, parked_at = NULL WHERE sink = ? AND parked_for IS NOT NULL",
        .integer(sink.row))
      return database.changes
    }
  }

  /// Deletes a part of a sink's outbox: its entries are sent only if they change. Returns their number.
  package func drop(_ queue: Queue, of sink: StoredSink.ID) throws(StoreError) -> Int {
    try transaction { () throws(StoreError) in
      let isIn = queue == .parked ? "IS NOT NULL" : "IS NULL"
      try change("DELETE FROM outbox WHERE sink = ? AND parked_for \(isIn)", .integer(sink.row))
      let dropped = database.changes
      if queue == .queued { try change("DELETE FROM batch WHERE sink = ?", .integer(sink.row)) }
      return dropped
    }
  }

  /// Returns the entries of the outbox with a condition on one value, and their parking: samples by time, then others.
  func queued(
    _ condition: String, _ value: SQLiteValue
  ) throws(StoreError) -> [(entry: HistoryEntry, parked: [SQLiteValue])] {
    var found: [(entry: HistoryEntry, parked: [SQLiteValue])] = []
    var wears: [Int: (sensor: SensorIdentity, number: Int)] = [:]
    let samples = try statement(
      """
      SELECT parked_for, parked_at, wear.activated_at + sample.minute * 60, wear.id, \(SampleRow.qualified())
      FROM outbox JOIN wear ON wear.id = outbox.wear
      JOIN sample ON sample.wear = outbox.wear AND sample.ring = outbox.kind AND sample.minute = outbox.minute
      WHERE \(condition) ORDER BY wear.activated_at + sample.minute * 60, wear.id, sample.ring
      """
    ).all(value) { ([$0.value(0), $0.value(1)], $0.instantOrNil(2), $0.integer(3), SampleRow($0, first: 4)) }
    for (parked, time, wearRow, row) in samples {
      if wears[wearRow] == nil { wears[wearRow] = try wear(wearRow) }
      guard let wear = wears[wearRow] else { continue }
      var sample = row.sample
      sample.time = time
      let stored = StoredSample(
        sensor: wear.sensor, wear: wear.number, sample: sample, calibration: try row.calibration.flatMap(calibration),
        isSalvaged: row.isSalvaged)
      found.append((.sensor(stored), parked))
    }
    let others = try statement(
      """
      SELECT parked_for, parked_at, \(EntryRow.qualifiedColumns) FROM outbox JOIN entry ON entry.id = outbox.entry
      WHERE \(condition) ORDER BY entry.time, entry.kind, entry.id
      """
    ).all(value) { row in EntryRow.entry { row.value(2 + $0) }.map { ($0, [row.value(0), row.value(1)]) } }
    return found + others
  }
}
