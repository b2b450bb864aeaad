// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem

/// The statements that find the entries of a query, each with its rows in the order of the query.
///
/// Every row begins with its kind and its time. Kind 0 is a sample, with the wear, `SampleRow`, and the calibration of a
/// revision, which is 0 for the sample itself; any other is an `EntryKind`, with `EntryRow`.
struct HistorySQL {
  typealias Statement = (sql: String, values: [SQLiteValue])

  private let query: HistoryQuery
  /// `?1` to `?3`: the first and the last moment, and the change after which all are selected.
  private let ends: [SQLiteValue]

  init(_ query: HistoryQuery) {
    self.query = query
    ends = [
      .integer(query.from?.secondsSince1970 ?? Int64.min), .integer(query.to?.secondsSince1970 ?? Int64.max),
      .integer(Int64(query.after?.change ?? -1)),
    ]
  }

  /// Selects the wears that can have samples in the span, in the order of the query: those without a start come last.
  var wears: Statement {
    let order = query.isNewestFirst ? "activated_at DESC, id DESC" : "activated_at IS NULL, activated_at, id"
    let chosen = query.scope.condition(onSensor: "sensor")
    return ("SELECT id, activated_at FROM wear WHERE TRUE\(isNear)\(chosen) ORDER BY \(order)", ends)
  }

  /// Selects the samples of a ring of a wear, or their revisions. `?4` is the wear, `?5` the ring and `?6` the start.
  func samples(areRevisions: Bool) -> String {
    let table = areRevisions ? "revision" : "sample"
    return """
      SELECT 0, ?6 + sample.minute * 60, sample.wear, \(columns(areRevisions: areRevisions))
      FROM \(areRevisions ? Self.revisions : "sample")
      WHERE \(table).wear = ?4 AND \(table).ring = ?5\(isWithin(start: "?6"))
      ORDER BY sample.minute\(descending)\(areRevisions ? ", revision.calibration" : "")
      """
  }

  func values(ofWear wear: Int, ring: Int, activatedAt: Int64?) -> [SQLiteValue] {
    ends + [.integer(wear), .integer(ring), activatedAt.map(SQLiteValue.integer) ?? .null]
  }

  /// Selects the samples that changed, and those of wears whose display values changed.
  var changes: [Statement] {
    var statements: [Statement] = []
    for areRevisions in query.includesRevisions ? [false, true] : [false] {
      // The outermost table is the one whose key finds the rows: changes, or wears.
      let isChanged = "\(areRevisions ? "revision" : "sample").change > ?3"
      statements.append(
        changes(
          areRevisions, "\(areRevisions ? Self.revisions : "sample") CROSS JOIN wear ON wear.id = sample.wear",
          isChanged))
      let revision = areRevisions ? " CROSS JOIN revision USING (wear, ring, minute)" : ""
      statements.append(
        changes(
          areRevisions, "wear CROSS JOIN sample ON sample.wear = wear.id\(revision)",
          "wear.shown_change > ?3 AND NOT (\(isChanged))"))
    }
    return statements
  }

  private func changes(_ areRevisions: Bool, _ tables: String, _ condition: String) -> Statement {
    let order = ["time", "wear.id", "sample.minute", "sample.ring"].map { $0 + descending }.joined(separator: ", ")
    return (
      """
      SELECT 0, wear.activated_at + sample.minute * 60 AS time, wear.id, \(columns(areRevisions: areRevisions))
      FROM \(tables)
      WHERE \(condition) AND sample.ring IN (\(SampleRow.numbers(query.rings)))\(isNear)\
      \(isWithin(start: "wear.activated_at"))\(query.scope.condition(onSensor: "wear.sensor"))
      ORDER BY time IS NULL, \(order)\(areRevisions ? ", revision.calibration" : "")
      """, ends
    )
  }

  private static let revisions = "revision CROSS JOIN sample USING (wear, ring, minute)"

  /// Columns of `SampleRow`, of which a revision replaces those that it has itself, and the number of the revision.
  private func columns(areRevisions: Bool) -> String {
    let row = SampleRow.qualified {
      areRevisions && ["glucose_mg_dl", "calibration"].contains($0) ? "revision" : "sample"
    }
    return "\(row), \(areRevisions ? "revision.calibration" : "0")"
  }

  /// The start of the wear has bounds of its own, so that wears of other times are not searched.
  private var isNear: String {
    (query.from == nil ? "" : " AND wear.activated_at >= ?1 - \(60 * SensorStore.lastMinute)")
      + (query.to == nil ? "" : " AND wear.activated_at <= ?2")
  }

  /// Minutes of the wear instead of times, so that the primary key of `sample` is used.
  private func isWithin(start: String) -> String {
    (query.from == nil ? "" : " AND sample.minute >= (?1 - \(start) + 59) / 60")
      + (query.to == nil ? "" : " AND sample.minute <= (?2 - \(start)) / 60")
  }

  private var descending: String { query.isNewestFirst ? " DESC" : "" }

  func entries(_ kind: EntryKind) -> Statement {
    var values = ends
    let (source, ring, value): (String, String, String) =
      switch kind {
      case .imported: ("source", " AND ring IN (\(SampleRow.numbers(query.rings)))", "")
      case .fingerStick: ("coalesce(source, '\(HistoryScope.ownSource)')", "", ", glucose_mg_dl\(descending)")
      case .bloodPressure: ("source", "", ", systolic\(descending)")
      }
    let chosen = query.scope.condition(onSource: source, isIgnoring: kind == .imported, &values)
    return (
      """
      SELECT kind, time, \(EntryRow.columns) FROM entry
      WHERE kind = \(kind.rawValue) AND time BETWEEN ?1 AND ?2\(ring)\(isChanged)\(chosen)
      ORDER BY time\(descending)\(value), id\(descending)
      """, values
    )
  }

  private var isChanged: String { query.after == nil ? "" : " AND change > ?3" }
}
