// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import HostSystem

extension SensorStore {
  /// Calls `entry` for each entry of a query; entries without a time come last. `entry` returns false to stop.
  /// - Throws: `badAnchor` for an anchor of another store.
  package func forEach<Failure: StoreFailure>(
    _ query: HistoryQuery, _ entry: (HistoryEntry) throws(Failure) -> Bool
  ) throws(Failure) {
    if let after = query.after { try attempt(check(after), or: Failure.self) }
    var rows = try attempt(HistoryRows(of: query, in: self), or: Failure.self)
    var shared = SharedFacts(scope: query.marksSuperseded ? query.scope : nil)
    while let row = try attempt(rows.next(), or: Failure.self) {
      guard let found = try attempt(historyEntry(in: row, &shared), or: Failure.self) else { continue }
      if try !entry(found) { return }
    }
  }

  /// Returns the anchor of the current state, or of the snapshot inside a snapshot.
  package func anchor() throws(StoreError) -> StoreAnchor {
    let row = try first("SELECT id, change FROM store")
    return StoreAnchor(store: row?[0].blob ?? [], change: Int(row?[1].integer ?? 0))
  }

  /// The current anchor, and the ids of entries removed since another one.
  package func changes(after anchor: StoreAnchor?) throws(StoreError) -> (removed: [SampleID], next: StoreAnchor) {
    (try anchor.map(removals) ?? [], try self.anchor())
  }

  /// Lists the ids of entries removed since an anchor, without those restored meanwhile.
  package func removals(after anchor: StoreAnchor) throws(StoreError) -> [SampleID] {
    try check(anchor)
    let rows = try statement(
      """
      SELECT change, id, NULL, NULL, NULL, NULL FROM deleted_entry WHERE change > ?1
      UNION ALL SELECT change, NULL, uid, wear, ring, minute FROM deleted_sample WHERE change > ?1 ORDER BY 1
      """)
    rows.bind(anchor.change, at: 1)
    var removals: [SampleID] = []
    while try rows.step() {
      if let id = rows.blobOrNil(1).flatMap(SampleID.init) { removals.append(id) }
      if let uid = rows.textOrNil(2).flatMap({ try? SensorUID(printed: $0) }) {
        removals.append(
          SampleID(
            of: uid, wear: rows.integer(3), SampleRow.ring(rows.integer(4)), SensorMinute(rows.minutes(5))))
      }
    }
    return removals
  }

  private func check(_ anchor: StoreAnchor) throws(StoreError) {
    let now = try self.anchor()
    guard anchor.store == now.store, anchor.change <= now.change else { throw .badAnchor(anchor.description) }
  }

  private struct WearFacts {
    let row: Int
    let sensor: SensorIdentity
    let number: Int
    var superseded: [(minutes: ClosedRange<Int>, by: SensorIdentity)] = []
  }

  /// Facts of the last sample, which the next one usually shares.
  private struct SharedFacts {
    /// Sensors among which samples are superseded; nil if no sample is marked.
    let scope: HistoryScope?
    var wear: WearFacts?
    /// Each wear is looked up once, even if samples of several sensors alternate.
    var wears: [Int: WearFacts] = [:]
    var calibration: (row: Int, description: CalibrationDescription?)?
  }

  private func historyEntry(in row: StoreStatement, _ shared: inout SharedFacts) throws(StoreError) -> HistoryEntry? {
    guard row.integer(0) == 0 else { return EntryRow.entry { row.value(2 + $0) } }
    let id = row.integer(2)
    if shared.wear?.row != id {
      if shared.wears[id] == nil { shared.wears[id] = try facts(ofWear: id, in: shared.scope) }
      shared.wear = shared.wears[id]
    }
    guard let wear = shared.wear else { return nil }
    let stored = SampleRow(row, first: 3)
    if let row = stored.calibration, shared.calibration?.row != row {
      shared.calibration = (row, try calibration(row))
    }
    var sample = stored.sample
    sample.time = row.instantOrNil(1)
    var entry = StoredSample(
      sensor: wear.sensor, wear: wear.number, sample: sample,
      calibration: stored.calibration == nil ? nil : shared.calibration?.description, isSalvaged: stored.isSalvaged)
    if !wear.superseded.isEmpty, sample.usableConcentration != nil {
      entry.supersededBy = wear.superseded.first { $0.minutes.contains(sample.minute.value) }?.by
    }
    return .sensor(entry)
  }

  private func facts(ofWear id: Int, in scope: HistoryScope?) throws(StoreError) -> WearFacts? {
    guard let found = try wear(id) else { return nil }
    var facts = WearFacts(row: id, sensor: found.sensor, number: found.number)
    guard let scope else { return facts }
    for span in try supersededSpans(ofWear: id, in: scope) {
      if let later = try self.facts(ofSensor: span.sensor) {
        facts.superseded.append((span.minutes, later.identity))
      }
    }
    return facts
  }

  func wear(_ id: Int) throws(StoreError) -> (sensor: SensorIdentity, number: Int)? {
    let values = try first("SELECT sensor, number FROM wear WHERE id = ?", .integer(id))
    guard let values, let sensor = values[0].integer, let number = values[1].integer,
      let facts = try facts(ofSensor: Int(sensor))
    else { return nil }
    return (facts.identity, Int(number))
  }
}
