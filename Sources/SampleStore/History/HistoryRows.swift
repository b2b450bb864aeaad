// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem

/// The rows of a query in its order, merged from statements that are in this order themselves.
///
/// A union sorted by SQLite copies every row before it returns the first one, which for a million samples takes longer
/// than reading them. So each ring of a wear is read along its primary key, and imported values and finger-sticks along
/// the index of their times; only changes since an anchor are sorted. A wear is opened when its samples can be next, so
/// that few statements are open at once.
struct HistoryRows {
  private struct Place {
    /// Seconds since 1970; nil for a sample without a time, which comes after all others.
    let time: Int64?
    let kind: Int
    let wear: Int
    let minute: Int
    let ring: Int
    /// The calibration of a revision; 0 for the sample itself, which comes first in every order.
    let revision: Int

    init(_ row: StoreStatement) {
      time = row.isNull(1) ? nil : Int64(row.integer(1))
      kind = row.integer(0)
      // Other entries of one kind come from one statement, which orders them.
      let isSample = kind == 0
      wear = isSample ? row.integer(2) : 0
      ring = isSample ? row.integer(3) : 0
      minute = isSample ? row.integer(4) : 0
      revision = isSample ? row.integer(3 + SampleRow.count) : 0
    }

    func precedes(_ other: Place, isNewestFirst: Bool) -> Bool {
      guard let time, let otherTime = other.time else {
        return time != nil || other.time == nil && precedesAtOnce(other, isNewestFirst)
      }
      if time != otherTime { return (time > otherTime) == isNewestFirst }
      return precedesAtOnce(other, isNewestFirst)
    }

    private func precedesAtOnce(_ other: Place, _ isNewestFirst: Bool) -> Bool {
      if kind != other.kind { return (kind < other.kind) == isNewestFirst }
      let (mine, theirs) = ((wear, minute, ring), (other.wear, other.minute, other.ring))
      return mine == theirs ? revision < other.revision : (mine > theirs) == isNewestFirst
    }
  }

  private struct Cursor {
    let statement: StoreStatement
    /// The SQL of a statement that can be bound to another wear later; nil for any other.
    let reusable: String?
    var place: Place
  }

  private let store: SensorStore
  private let sql: HistorySQL
  private let query: HistoryQuery
  /// Has a row as long as this exists. So the others are read at one moment of the database.
  private let moment: StoreStatement
  /// Wears in the order of the query, of which the first `opened` are open or finished.
  private var wears: [(row: Int, activatedAt: Int64?)] = []
  private var opened = 0
  private var cursors: [Cursor] = []
  private var current: Int?
  private var finished: [String: [StoreStatement]] = [:]
  private var count = 0

  init(of query: HistoryQuery, in store: SensorStore) throws(StoreError) {
    self.store = store
    self.query = query
    sql = HistorySQL(query)
    moment = try store.database.statement("SELECT 1 FROM store")
    _ = try moment.step()
    if !query.rings.isEmpty, query.scope.includesSensors {
      if query.after == nil {
        let (sql, values) = sql.wears
        let rows = try store.database.statement(sql)
        rows.bind(values)
        while try rows.step() { wears.append((rows.integer(0), rows.integerOrNil(1).map(Int64.init))) }
      } else {
        for statement in sql.changes { try open(statement) }
      }
    }
    if query.scope.includesSources {
      if !query.rings.isEmpty { try open(sql.entries(.imported)) }
      if query.includesFingerSticks { try open(sql.entries(.fingerStick)) }
      if query.includesBloodPressure { try open(sql.entries(.bloodPressure)) }
    }
  }

  /// Returns the statement with the next row; nil after the last. The row is valid until the next call.
  mutating func next() throws(StoreError) -> StoreStatement? {
    if let limit = query.limit, count >= limit { return nil }
    if let current { try advance(current) }
    current = first
    while opened < wears.count, current.map({ canPrecede(wears[opened].activatedAt, cursors[$0].place) }) ?? true {
      try open(wear: wears[opened])
      opened += 1
      current = first
    }
    count += 1
    return current.map { cursors[$0].statement }
  }

  private var first: Int? {
    cursors.indices.min { cursors[$0].place.precedes(cursors[$1].place, isNewestFirst: query.isNewestFirst) }
  }

  /// True if a wear with this start can have samples before a place. Wears without a start come after everything else.
  private func canPrecede(_ activatedAt: Int64?, _ place: Place) -> Bool {
    guard let activatedAt else { return false }
    guard let time = place.time else { return true }
    if !query.isNewestFirst { return activatedAt <= time }
    let (last, overflows) = activatedAt.addingReportingOverflow(60 * Int64(SensorStore.lastMinute))
    return overflows || last >= time
  }

  private mutating func open(wear: (row: Int, activatedAt: Int64?)) throws(StoreError) {
    for areRevisions in query.includesRevisions ? [false, true] : [false] {
      let text = sql.samples(areRevisions: areRevisions)
      for ring in query.rings {
        let values = sql.values(ofWear: wear.row, ring: SampleRow.number(ring), activatedAt: wear.activatedAt)
        try open((text, values), isReusable: true)
      }
    }
  }

  private mutating func open(_ found: HistorySQL.Statement, isReusable: Bool = false) throws(StoreError) {
    let statement =
      if let known = finished[found.sql]?.popLast() { known } else { try store.database.statement(found.sql) }
    statement.bind(found.values)
    if try statement.step() {
      cursors.append(Cursor(statement: statement, reusable: isReusable ? found.sql : nil, place: Place(statement)))
    } else if isReusable {
      finished[found.sql, default: []].append(statement)
    }
  }

  /// - Throws: `corrupt` for a row before the last one: the pages of a damaged file may lead in a circle.
  private mutating func advance(_ index: Int) throws(StoreError) {
    if try cursors[index].statement.step() {
      let place = Place(cursors[index].statement)
      if place.precedes(cursors[index].place, isNewestFirst: query.isNewestFirst) {
        throw .corrupt(path: store.path, words: "rows are not in their order")
      }
      cursors[index].place = place
      return
    }
    let cursor = cursors.remove(at: index)
    if let sql = cursor.reusable { finished[sql, default: []].append(cursor.statement) }
  }
}
