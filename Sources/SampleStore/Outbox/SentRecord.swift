// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import HostSystem

/// A record at a receiver that can delete it.
package struct SentRecord: Hashable, Sendable {
  package let id: SampleID
  package let key: String
  /// Time of the value when it was sent.
  package let time: Instant

  package init(id: SampleID, key: String, time: Instant) { (self.id, self.key, self.time) = (id, key, time) }
}

/// Records at receivers that are outdated: the user removed the value, it no longer counts, or its changed time gives it
/// another key. Samples that only became too old for the store are not affected.
extension SensorStore {
  /// Returns the anchor since which a sink's records must be compared with the store; nil if nothing changed or was
  /// sent.
  package func retractionAnchor(of sink: StoredSink.ID) throws(StoreError) -> StoreAnchor? {
    let now = try anchor()
    let row = try first(
      "SELECT removal_cursor, EXISTS (SELECT 1 FROM sent WHERE sent.sink = sink.id) FROM sink WHERE id = ?",
      .integer(sink.row))
    guard let row, let cursor = row[0].integer, cursor != Int64(now.change) else { return nil }
    guard row[1] == .integer(1) else {
      try keepRetractionAnchor(now, of: sink)
      return nil
    }
    return StoreAnchor(store: now.store, change: Int(cursor))
  }

  package func keepRetractionAnchor(_ anchor: StoreAnchor, of sink: StoredSink.ID) throws(StoreError) {
    try change("UPDATE sink SET removal_cursor = ? WHERE id = ?", .integer(anchor.change), .integer(sink.row))
  }

  /// Marks the records of an id for deletion, except the one with its current key; `key` nil marks all.
  package func retract(_ id: SampleID, but key: String?, of sink: StoredSink.ID) throws(StoreError) {
    try run(
      "UPDATE sent SET state = 1 WHERE sink = ?1 AND id = ?2 AND state = 0 AND key IS NOT ?3", .integer(sink.row),
      .blob(id.bytes), .text(orNull: key))
  }

  /// Returns records to be deleted, at most `limit`, oldest first. Excludes a record whose key another value uses now:
  /// the receiver would lose that value.
  package func retracted(of sink: StoredSink.ID, limit: Int) throws(StoreError) -> [SentRecord] {
    guard try exists("SELECT 1 FROM sent WHERE sink = ? AND state = 1 LIMIT 1", .integer(sink.row)) else { return [] }
    try change(
      """
      DELETE FROM sent WHERE sink = ?1 AND state = 1
        AND key IN (SELECT key FROM sent WHERE sink = ?1 AND state = 0)
      """, .integer(sink.row))
    return try statement("SELECT id, key, time FROM sent WHERE sink = ? AND state = 1 ORDER BY time, key LIMIT ?")
      .all(.integer(sink.row), .integer(max(1, limit))) { row in
        guard let id = row.blobOrNil(0).flatMap(SampleID.init), let time = row.instantOrNil(2) else { return nil }
        return SentRecord(id: id, key: row.textOrNil(1) ?? "", time: time)
      }
  }

  /// Returns the number of samples of a sensor that a sink was sent, with the first and the last time. Queued and
  /// parked ones are left out; those that no longer count are not, because they may have been sent while they did.
  package func sentSamples(
    of sensor: StoredSensor.ID, to sink: StoredSink.ID
  ) throws(StoreError) -> (count: Int, span: ClosedRange<Instant>)? {
    let time = "wear.activated_at + sample.minute * 60"
    let row = try first(
      """
      SELECT count(*), min(\(time)), max(\(time)) FROM sink CROSS JOIN wear ON wear.sensor = ?2
      CROSS JOIN sensor ON sensor.id = wear.sensor CROSS JOIN sample ON sample.wear = wear.id
      CROSS JOIN sink_kind ON sink_kind.sink = sink.id AND sink_kind.kind = sample.ring
      WHERE sink.id = ?1 AND \(Self.isSendable) AND sink_kind.is_wanted AND sample.change <= sink_kind.cursor
        AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.sink = sink.id AND outbox.wear = sample.wear
          AND outbox.kind = sample.ring AND outbox.minute = sample.minute)
      """, .integer(sink.row), .integer(sensor.row))
    guard let row, let count = row[0].integer, count > 0, let first = row[1].instant, let last = row[2].instant,
      first <= last
    else { return nil }
    return (Int(count), first...last)
  }

  package func retractedCount(of sink: StoredSink.ID) throws(StoreError) -> Int { try count(state: 1, of: sink) }

  package func refusedCount(of sink: StoredSink.ID) throws(StoreError) -> Int { try count(state: 2, of: sink) }

  private func count(state: Int, of sink: StoredSink.ID) throws(StoreError) -> Int {
    try integer("SELECT count(*) FROM sent WHERE sink = ? AND state = ?", .integer(sink.row), .integer(state)) ?? 0
  }

  /// Records that the receiver deleted these records; or, with `isRefused`, that it refused. It is not asked
  /// again until the user retries parked entries.
  package func withdrawn(_ records: [SentRecord], of sink: StoredSink.ID, isRefused: Bool = false) throws(StoreError) {
    try transaction { () throws(StoreError) in
      let sql = isRefused ? "UPDATE sent SET state = 2" : "DELETE FROM sent"
      let end = try statement("\(sql) WHERE sink = ?1 AND id = ?2 AND key = ?3 AND state = 1")
      for record in records { try end.run(.integer(sink.row), .blob(record.id.bytes), .text(record.key)) }
    }
  }

  /// Returns the ids among these that the receiver holds.
  package func held(_ ids: [SampleID], by sink: StoredSink.ID) throws(StoreError) -> Set<SampleID> {
    let find = try statement("SELECT 1 FROM sent WHERE sink = ? AND id = ? AND state <> 1 LIMIT 1")
    var held: Set<SampleID> = []
    for id in ids where try find.first(.integer(sink.row), .blob(id.bytes)) != nil { held.insert(id) }
    return held
  }

  /// Records what the receiver of a batch holds now. A record of the same id with another key was replaced.
  func note(_ records: [SentRecord], of batch: StoredBatch.ID) throws(StoreError) {
    guard !records.isEmpty else { return }
    let forget = try statement(
      "DELETE FROM sent WHERE sink = (SELECT sink FROM batch WHERE id = ?1) AND id = ?2 AND key <> ?3 AND state = 0")
    let insert = try statement(
      "INSERT OR REPLACE INTO sent (sink, id, key, time, state) SELECT sink, ?2, ?3, ?4, 0 FROM batch WHERE id = ?1")
    for record in records {
      let values: [SQLiteValue] = [.integer(batch.row), .blob(record.id.bytes), .text(record.key)]
      try forget.run(values)
      try insert.run(values + [.instant(record.time)])
    }
  }
}
