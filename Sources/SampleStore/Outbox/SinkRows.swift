// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import HostSystem

extension SensorStore {
  package func sinks() throws(StoreError) -> [StoredSink] { try sinks("TRUE") }

  package func sink(_ name: String) throws(StoreError) -> StoredSink? { try sinks("name = ?", .text(name)).first }

  package func sink(_ id: StoredSink.ID) throws(StoreError) -> StoredSink? {
    try sinks("id = ?", .integer(id.row)).first
  }

  /// Returns whether a sink may be sent to now; another process may have changed that.
  package func standing(of sink: StoredSink) throws(StoreError) -> StoredSink.Standing {
    let row = try first("SELECT receiver, stopped_by, stopped_for FROM sink WHERE id = ?", .integer(sink.id.row))
    guard let row, row[0].text == sink.receiver else { return .gone }
    guard let origin = row[1].text.flatMap(StoredSink.Stop.Origin.init) else { return .enabled }
    return .stopped(StoredSink.Stop(origin, row[2].text ?? ""))
  }

  /// Enrols a sink without values measured before `sendsFrom`; does nothing if the name is already enrolled.
  package func enrol(_ name: String, receiver: String, at now: Instant, sendsFrom: Instant) throws(StoreError) {
    try transaction { () throws(StoreError) in
      try change(
        "INSERT INTO sink (name, receiver, enrolled_at, sends_from) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
        .text(name), .text(receiver), .instant(now), .instant(sendsFrom))
      for kind in SampleRing.allCases.map(SampleRow.number) + EntryKind.allCases.map(\.rawValue) {
        try change(
          "INSERT INTO sink_kind (sink, kind) SELECT id, ?2 FROM sink WHERE name = ?1 ON CONFLICT DO NOTHING",
          .text(name), .integer(kind))
      }
    }
  }

  /// Deletes a sink with its outbox, its parked entries and its memory.
  package func removeSink(_ sink: StoredSink.ID) throws(StoreError) {
    try change("DELETE FROM sink WHERE id = ?", .integer(sink.row))
  }

  /// Stops sending to a sink; its queue is kept.
  package func stop(_ sink: StoredSink.ID, _ stop: StoredSink.Stop) throws(StoreError) {
    try change(
      "UPDATE sink SET stopped_by = ?, stopped_for = ?, retry_at = NULL, is_retry_asked = 0 WHERE id = ?",
      .text(stop.origin.rawValue), .text(stop.reason), .integer(sink.row))
  }

  /// Resumes sending where it stopped, or, with `skipsGap`, with new samples only. Deletes the sink's memory if the
  /// receiver stopped it, or was replaced: the receiver may no longer know the user or data set named there.
  package func enable(_ sink: StoredSink.ID, receiver: String, skipsGap: Bool) throws(StoreError) {
    try transaction { () throws(StoreError) in
      try change(
        """
        DELETE FROM sink_memory
          WHERE sink IN (SELECT id FROM sink WHERE id = ? AND (receiver <> ? OR stopped_by = 'receiver'))
        """, .integer(sink.row), .text(receiver))
      // The new receiver has none of the records sent to the old one.
      try change(
        "DELETE FROM sent WHERE sink IN (SELECT id FROM sink WHERE id = ? AND receiver <> ?)", .integer(sink.row),
        .text(receiver))
      try change(
        """
        UPDATE sink SET receiver = ?, stopped_by = NULL, stopped_for = NULL, failures = 0, retry_at = NULL,
          is_retry_asked = 0, last_error = NULL WHERE id = ?
        """, .text(receiver), .integer(sink.row))
      guard skipsGap else { return }
      _ = try drop(.queued, of: sink)
      try change("UPDATE sink_kind SET cursor = (SELECT change FROM store) WHERE sink = ?", .integer(sink.row))
    }
  }

  package func keep(_ memory: [String: String], of sink: StoredSink.ID) throws(StoreError) {
    try transaction { () throws(StoreError) in
      try change("DELETE FROM sink_memory WHERE sink = ?", .integer(sink.row))
      for (key, value) in memory {
        // The sink may have been removed meanwhile.
        try change(
          "INSERT INTO sink_memory (sink, key, value) SELECT id, ?2, ?3 FROM sink WHERE id = ?1", .integer(sink.row),
          .text(key), .text(value))
      }
    }
  }

  /// Records a temporary failure; without a `retry` sending may be tried again at once.
  package func postpone(_ sink: StoredSink.ID, _ retry: StoredSink.Retry?, error: String) throws(StoreError) {
    try change(
      "UPDATE sink SET failures = failures + 1, retry_at = ?, is_retry_asked = ?, last_error = ? WHERE id = ?",
      .instant(retry?.at), .integer(retry?.isAsked == true ? 1 : 0), .text(error), .integer(sink.row))
  }

  func change(_ sql: String, _ values: SQLiteValue...) throws(StoreError) {
    try transaction { () throws(StoreError) in try statement(sql).run(values) }
  }

  /// Returns the sinks with a condition that binds one value at most, by name.
  private func sinks(_ condition: String, _ value: SQLiteValue = .null) throws(StoreError) -> [StoredSink] {
    let epoch = Instant(secondsSince1970: 0)
    return try statement(
      """
      SELECT id, name, receiver, enrolled_at, sends_from, stopped_by, stopped_for, failures, retry_at, is_retry_asked,
        last_success_at, last_error
      FROM sink WHERE \(condition) ORDER BY name
      """
    ).all(value) { (row) throws(StoreError) in
      let counts = try first(
        """
        SELECT count(*) FILTER (WHERE \(Self.isQueued)), min(\(Self.queuedTime)) FILTER (WHERE \(Self.isQueued)),
          count(parked_for)
        FROM outbox LEFT JOIN wear ON wear.id = outbox.wear WHERE outbox.sink = ?
        """, row.value(0))
      let memory = try statement("SELECT key, value FROM sink_memory WHERE sink = ?")
        .all(row.value(0)) { row in row.textOrNil(1).map { (row.textOrNil(0) ?? "", $0) } }
      let origin = row.textOrNil(5).flatMap(StoredSink.Stop.Origin.init)
      return StoredSink(
        id: StoredSink.ID(row: row.integer(0)), name: row.textOrNil(1) ?? "", receiver: row.textOrNil(2) ?? "",
        enrolledAt: row.instantOrNil(3) ?? epoch, sendsFrom: row.instantOrNil(4) ?? epoch,
        stop: origin.map { StoredSink.Stop($0, row.textOrNil(6) ?? "") }, failures: row.integer(7),
        retry: row.instantOrNil(8).map { StoredSink.Retry(at: $0, isAsked: row.integer(9) == 1) },
        lastSuccessAt: row.instantOrNil(10), lastError: row.textOrNil(11),
        queued: Int(clamping: counts?[0].integer ?? 0), oldestQueuedAt: counts?[1].instant,
        parked: Int(clamping: counts?[2].integer ?? 0), memory: Dictionary(memory, uniquingKeysWith: { $1 }))
    }
  }
}
