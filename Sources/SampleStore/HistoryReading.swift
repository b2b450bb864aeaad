// SPDX-License-Identifier: Apache-2.0
public import CGMModel
import SQLiteAccess

/// Reading the store, entry by entry in the order of time.
extension SensorStore {
  /// Calls `entry` for each entry of a query; entries without a time come last. `entry` returns false to stop.
  ///
  /// Samples have no ids here, which need SHA-1: LibreKit adds them.
  ///
  /// - Throws: `badAnchor` for an anchor of another store.
  public func forEach<Failure: StoreFailure>(
    _ query: HistoryQuery, _ entry: (HistoryEntry) throws(Failure) -> Bool
  ) throws(Failure) {
    let rows = try attempt(rows(of: query), or: Failure.self)
    var wears: [Int: (sensor: SensorIdentity, number: Int)] = [:]
    while let found = try attempt(nextEntry(in: rows, &wears), or: Failure.self) {
      if try !entry(found) { return }
    }
  }

  private func rows(of query: HistoryQuery) throws(StoreError) -> StoreStatement {
    if let after = query.after { try check(after) }
    let (sql, values) = Self.sql(for: query, hasShownChanges: hasOutbox, hasMeters: hasMeters)
    // A statement of its own: `entry` may run the same query again.
    let rows = try database.statement(sql)
    rows.bind(values)
    return rows
  }

  /// Reads the next entry; nil after the last row.
  private func nextEntry(
    in rows: StoreStatement, _ wears: inout [Int: (sensor: SensorIdentity, number: Int)]
  ) throws(StoreError) -> HistoryEntry? {
    while try rows.step() {
      if let found = try entry(in: rows, &wears) { return found }
    }
    return nil
  }

  /// Returns the anchor of the current state, or of the snapshot inside a snapshot.
  public func anchor() throws(StoreError) -> StoreAnchor {
    let row = try statement("SELECT id, change FROM store").first()
    return StoreAnchor(store: row?[0].blob ?? [], change: Int(row?[1].integer ?? 0))
  }

  /// Lists removals since an anchor, without those restored meanwhile.
  public func removals(after anchor: StoreAnchor) throws(StoreError) -> [Removal] {
    try check(anchor)
    let rows = try statement(
      """
      SELECT change, id, NULL, NULL, NULL, NULL FROM deleted_entry WHERE change > ?1
      UNION ALL SELECT change, NULL, uid, wear, ring, minute FROM deleted_sample WHERE change > ?1 ORDER BY 1
      """)
    rows.bind(anchor.change, at: 1)
    var removals: [Removal] = []
    while try rows.step() {
      if let id = rows.blobOrNil(1).flatMap(SampleID.init) { removals.append(.entry(id)) }
      if let uid = rows.textOrNil(2).flatMap({ try? SensorUID(printed: $0) }) {
        removals.append(
          .sample(
            uid: uid, wear: rows.integer(3), ring: SampleRow.ring(rows.integer(4)),
            minute: SensorMinute(rows.minutes(5))))
      }
    }
    return removals
  }

  private func check(_ anchor: StoreAnchor) throws(StoreError) {
    let now = try self.anchor()
    guard anchor.store == now.store, anchor.change <= now.change else { throw .badAnchor(anchor.description) }
  }

  // MARK: Handing out

  /// True if some times have not been handed out: the start of their wear may still move.
  public func hasMovableTimes() throws(StoreError) -> Bool {
    try statement("SELECT 1 FROM wear WHERE \(isMovable) LIMIT 1").first() != nil
  }

  /// Fixes all current times. Call it before a sample's time is shown, exported or sent.
  public func handOutTimes() throws(StoreError) {
    try statement("UPDATE wear SET is_handed_out = 1 WHERE \(isMovable)").run()
  }

  /// SQL condition for a wear whose times exist and were never handed out. Provisional times never are.
  private var isMovable: String { "NOT is_handed_out AND activated_at IS NOT NULL AND NOT \(isProvisional)" }

  // MARK: Rows

  /// Columns of `SampleRow`; a revision replaces those that it has itself.
  private static func sampleColumns(ofRevision isRevision: Bool) -> String {
    SampleRow.qualified { isRevision && ["glucose_mg_dl", "calibration"].contains($0) ? "revision" : "sample" }
  }

  /// Builds one query over the four kinds; the first column is the kind of a row.
  private static func sql(
    for query: HistoryQuery, hasShownChanges: Bool, hasMeters: Bool
  ) -> (sql: String, values: [SQLiteValue]) {
    var parts: [String] = []
    var values: [SQLiteValue] = [
      .integer(query.from?.secondsSince1970 ?? Int64.min),
      .integer(query.to?.secondsSince1970 ?? Int64.max), .integer(Int64(query.after?.change ?? -1)),
    ]
    let rings = SampleRow.numbers(query.rings)
    if !query.rings.isEmpty, query.scope.includesSensors {
      // Minutes of the wear instead of times, so that the primary key of `sample` is used.
      let minutes =
        (query.from == nil ? "" : " AND sample.minute >= (?1 - wear.activated_at + 59) / 60")
        + (query.to == nil ? "" : " AND sample.minute <= (?2 - wear.activated_at) / 60")
      let isDated = query.from == nil && query.to == nil ? "" : " AND wear.activated_at IS NOT NULL"
      for isRevision in query.includesRevisions ? [false, true] : [false] {
        let changed = "\(isRevision ? "revision" : "sample").change > ?3"
        // Changed rows, and those of wears whose display values changed.
        var selections = [(areChanges: query.after != nil, condition: query.after == nil ? "" : " AND \(changed)")]
        if query.after != nil, hasShownChanges {
          selections.append((false, " AND wear.shown_change > ?3 AND NOT (\(changed))"))
        }
        for (areChanges, condition) in selections {
          parts.append(
            """
            SELECT 0, wear.activated_at + sample.minute * 60 AS time, wear.id, \
            \(sampleColumns(ofRevision: isRevision)), \(isRevision ? "revision.calibration" : "0")
            FROM \(Self.tables(areRevisions: isRevision, areChanges: areChanges))
            WHERE sample.ring IN (\(rings))\(minutes)\(isDated)\(condition)\
            \(query.scope.condition(onSensor: "wear.sensor"))
            """)
        }
      }
    }
    if query.scope.includesSources {
      let changed = query.after == nil ? "" : " AND change > ?3"
      if !query.rings.isEmpty {
        let chosen = query.scope.condition(onSource: "source", &values)
        parts.append(
          """
          SELECT 1, time, NULL, ring, id, source, device, glucose_mg_dl, bound, \(nulls(7)) FROM imported
          WHERE time BETWEEN ?1 AND ?2 AND ring IN (\(rings))\(changed)\(chosen)
          """)
      }
      if query.includesFingerSticks {
        let source = "coalesce(source, '\(HistoryScope.ownSource)')"
        let chosen = query.scope.condition(onSource: source, isIgnoring: false, &values)
        parts.append(
          """
          SELECT 2, time, NULL, id, glucose_mg_dl, note, source, \(nulls(9)) FROM finger_stick
          WHERE time BETWEEN ?1 AND ?2\(changed)\(chosen)
          """)
      }
      if query.includesBloodPressure, hasMeters {
        let chosen = query.scope.condition(onSource: "source", isIgnoring: false, &values)
        parts.append(
          """
          SELECT 3, time, NULL, \(Self.bloodPressureColumns), \(nulls(4)) FROM blood_pressure
          WHERE time BETWEEN ?1 AND ?2\(changed)\(chosen)
          """)
      }
    }
    if parts.isEmpty { parts.append("SELECT \(nulls(16)) WHERE FALSE") }
    // In a sensor's rows a is the wear, b the ring, c the minute, and n a revision's calibration.
    let order =
      query.isNewestFirst
      ? "time IS NULL, time DESC, kind, a DESC, c DESC, b DESC" : "time IS NULL, time, kind DESC, a, c, b"
    let revisions = query.includesRevisions ? ", n" : ""
    let limit = query.limit.map { " LIMIT \($0)" } ?? ""
    let all = parts.joined(separator: " UNION ALL ")
    return (
      "WITH entry (kind, time, a, b, c, d, e, f, g, h, i, j, k, l, m, n) AS (\(all)) SELECT * FROM entry ORDER BY \(order)\(revisions)\(limit)",
      values
    )
  }

  /// Chooses the outermost table by the key that finds the rows: wears for a time, changes for an anchor.
  private static func tables(areRevisions: Bool, areChanges: Bool) -> String {
    let key = "(wear, ring, minute)"
    return switch (areRevisions, areChanges) {
    case (false, false): "wear CROSS JOIN sample ON sample.wear = wear.id"
    case (true, false): "wear CROSS JOIN sample ON sample.wear = wear.id JOIN revision USING \(key)"
    case (false, true): "sample CROSS JOIN wear ON sample.wear = wear.id"
    case (true, true): "revision CROSS JOIN sample USING \(key) CROSS JOIN wear ON sample.wear = wear.id"
    }
  }

  private static func nulls(_ count: Int) -> String { Array(repeating: "NULL", count: count).joined(separator: ", ") }

  private func entry(
    in row: StoreStatement, _ wears: inout [Int: (sensor: SensorIdentity, number: Int)]
  ) throws(StoreError) -> HistoryEntry? {
    let time = row.instantOrNil(1)
    switch row.integer(0) {
    case 0:
      let id = row.integer(2)
      if wears[id] == nil { wears[id] = try wear(id) }
      guard let wear = wears[id] else { return nil }
      let stored = SampleRow(row, first: 3)
      var sample = stored.sample
      sample.time = time
      return .sensor(
        StoredSample(
          sensor: wear.sensor, wear: wear.number, sample: sample,
          calibration: try stored.calibration.flatMap(calibration),
          isSalvaged: stored.isSalvaged))
    default: return Self.entryOfOthers(in: row, first: 0)
    }
  }

  /// Columns of a blood pressure after its time.
  static let bloodPressureColumns = "id, systolic, diastolic, mean, unit, pulse, user, conditions, source"

  /// Reads an imported value (kind 1), a finger-stick or a blood pressure (kind 3): kind, time, an unused column, then
  /// its own columns.
  static func entryOfOthers(in row: StoreStatement, first: Int32) -> HistoryEntry? {
    guard let time = row.instantOrNil(first + 1) else { return nil }
    if row.integer(first) == 1 {
      guard let value = row.realOrNil(first + 7) else { return nil }
      return .imported(
        ImportedSample(
          id: row.blobOrNil(first + 4).flatMap(SampleID.init), source: row.textOrNil(first + 5) ?? "",
          device: row.textOrNil(first + 6), ring: SampleRow.ring(row.integer(first + 3)), time: time,
          concentration: GlucoseConcentration(milligramsPerDecilitre: value),
          bound: row.textOrNil(first + 8).flatMap(ImportedSample.Bound.init)))
    }
    if row.integer(first) == 3 {
      guard let systolic = row.realOrNil(first + 4), let diastolic = row.realOrNil(first + 5) else { return nil }
      return .bloodPressure(
        BloodPressure(
          id: row.blobOrNil(first + 3).flatMap(SampleID.init), time: time, systolic: systolic, diastolic: diastolic,
          mean: row.realOrNil(first + 6),
          unit: row.textOrNil(first + 7).flatMap(BloodPressure.Unit.init) ?? .millimetresOfMercury,
          pulse: row.realOrNil(first + 8), user: row.value(first + 9).integer.map(Int.init),
          conditions: (row.textOrNil(first + 10) ?? "").split(separator: " ").map(String.init),
          source: row.textOrNil(first + 11)))
    }
    guard let value = row.realOrNil(first + 4) else { return nil }
    return .fingerStick(
      FingerStick(
        id: row.blobOrNil(first + 3).flatMap(SampleID.init), time: time,
        concentration: GlucoseConcentration(milligramsPerDecilitre: value), note: row.textOrNil(first + 5),
        source: row.textOrNil(first + 6)))
  }

  func wear(_ id: Int) throws(StoreError) -> (sensor: SensorIdentity, number: Int)? {
    let values = try statement("SELECT sensor, number FROM wear WHERE id = ?").first(.integer(id))
    guard let values, let sensor = values[0].integer, let number = values[1].integer,
      let facts = try facts(ofSensor: Int(sensor))
    else { return nil }
    return (facts.identity, Int(number))
  }
}

/// A removal from the store, to be passed on to receivers. LibreKit adds a sample's id, which needs SHA-1.
public enum Removal: Hashable, Sendable {
  case sample(uid: SensorUID, wear: Int, ring: SampleRing, minute: SensorMinute)
  /// An imported value, a finger-stick or a blood pressure.
  case entry(SampleID)
}
