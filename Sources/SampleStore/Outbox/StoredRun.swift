// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import HostSystem

/// A run of sending to a sink, in which something was sent, parked or failed.
package struct StoredRun: Hashable, Sendable {
  /// Its number among the runs of its sink; nil until it is stored.
  fileprivate var number: Int?
  /// The time at which it began.
  package let at: Instant
  /// A word for its result; that of a run which was ended from outside, until it has another one.
  package var outcome: String
  /// Numbers of entries that the receiver took and deleted, and of parked ones.
  package var accepted = 0
  package var removed = 0
  package var parked = 0
  /// Number of entries that were left for the next run; nil if the run was ended from outside.
  package var queued: Int?
  /// The last failure in words; nil without one.
  package var reason: String?

  package init(at: Instant, outcome: String) { (self.at, self.outcome) = (at, outcome) }
}

extension Schema {
  static let runTable = """
    CREATE TABLE sink_run (
      sink INTEGER NOT NULL REFERENCES sink (id) ON DELETE CASCADE,
      number INTEGER NOT NULL,
      at INTEGER NOT NULL,
      outcome TEXT NOT NULL,
      accepted INTEGER NOT NULL,
      removed INTEGER NOT NULL,
      parked INTEGER NOT NULL,
      queued INTEGER,
      reason TEXT,
      checksum INTEGER,
      PRIMARY KEY (sink, number)
    ) STRICT, WITHOUT ROWID
    """
}

extension SensorStore {
  /// Number of runs that are kept of each sink: one that fails every minute displaces no run of another.
  package static let keptRuns = 100

  /// Stores a run in place of what was stored of it before. The oldest one beyond `keptRuns` is forgotten.
  package func keep(_ run: inout StoredRun, of sink: StoredSink.ID) throws(StoreError) {
    try transaction { () throws(StoreError) in
      let last = try integer("SELECT max(number) FROM sink_run WHERE sink = ?", .integer(sink.row)) ?? 0
      let number = run.number ?? last + 1
      // The sink may have been removed meanwhile.
      try change(
        """
        INSERT OR REPLACE INTO sink_run (sink, number, at, outcome, accepted, removed, parked, queued, reason)
          SELECT id, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 FROM sink WHERE id = ?1
        """, .integer(sink.row), .integer(number), .instant(run.at), .text(run.outcome), .integer(run.accepted),
        .integer(run.removed), .integer(run.parked), .integer(run.queued), .text(orNull: run.reason))
      try change(
        "DELETE FROM sink_run WHERE sink = ? AND number <= ?", .integer(sink.row), .integer(number - Self.keptRuns))
      run.number = number
    }
  }

  /// Returns the last runs of a sink, newest first; none in a store that was last written by a version without them.
  package func runs(of sink: StoredSink.ID) throws(StoreError) -> [StoredRun] {
    guard try exists("SELECT 1 FROM sqlite_master WHERE name = 'sink_run'") else { return [] }
    return try statement(
      """
      SELECT at, outcome, accepted, removed, parked, queued, reason FROM sink_run WHERE sink = ? ORDER BY number DESC
      """
    ).all(.integer(sink.row)) { row in
      var run = StoredRun(at: row.instantOrNil(0) ?? Instant(secondsSince1970: 0), outcome: row.textOrNil(1) ?? "")
      (run.accepted, run.removed, run.parked) = (row.integer(2), row.integer(3), row.integer(4))
      (run.queued, run.reason) = (row.integerOrNil(5), row.textOrNil(6))
      return run
    }
  }
}
