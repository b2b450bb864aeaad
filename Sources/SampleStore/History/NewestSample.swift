// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import HostSystem

package struct NewestSample: Hashable, Sendable {
  package let sensor: StoredSensor.ID
  package let wear: Int
  package let minute: SensorMinute
  package let activatedAt: Instant?
  /// The reason why the start, and with it the time, may be wrong.
  package let doubt: StartDoubt?
  package let maxLifeMinutes: Int?
  /// Newest trend minute of the wear, usable or not.
  package let newestTrendMinute: SensorMinute?
  package let state: SensorState?
  package let ageMinutes: Int?
  package let lastReadAt: Instant?

  package var time: Instant? { activatedAt?.adding(minutes: minute.value) }
}

/// Newest entries, found by key: the time does not grow with the number of samples.
extension SensorStore {
  /// Returns the newest sample of a scope's sensors; nil without one. Prefers samples with a time. `isUsable` requires
  /// a value that may be shown and, among the scope's sensors, counts (`SupersededSpan`); `until` excludes later
  /// samples.
  package func newestSample(
    of scope: HistoryScope = HistoryScope(), rings: Set<SampleRing> = .all, until: Instant? = nil, isUsable: Bool
  ) throws(StoreError) -> NewestSample? {
    let wears = try statement(Self.wearsByStart(of: scope))
    defer { wears.reset() }
    var newest: NewestSample?
    while try wears.step() {
      let activatedAt = wears.instantOrNil(3)
      if let newest {
        // A wear that started earlier cannot have a later sample.
        guard let best = newest.time, let latest = activatedAt?.adding(minutes: Self.lastMinute), best < latest
        else { break }
      }
      let last = until.flatMap { until in
        activatedAt.map { Int(clamping: (until.secondsSince1970 - $0.secondsSince1970) / 60) }
      }
      func isNewer(_ minute: Int) -> Bool {
        guard let best = newest?.time, let activatedAt else { return true }
        return activatedAt.adding(minutes: minute) > best
      }
      guard var minute = try newestMinute(wears.integer(0), in: rings, isUsable, until: last), isNewer(minute) else {
        continue
      }
      if isUsable {
        let spans = try supersededSpans(ofWear: wears.integer(0), in: scope)
        while let span = spans.first(where: { $0.minutes.contains(minute) }) {
          let before = span.minutes.lowerBound - 1
          minute = try newestMinute(wears.integer(0), in: rings, true, until: before) ?? 0
        }
      }
      if minute > 0, isNewer(minute) { newest = try newestSample(wears, minute: minute) }
    }
    return newest
  }

  /// Selects wears, the latest started first and those without a start last, along the index of starts.
  static func wearsByStart(of scope: HistoryScope) -> String {
    """
    SELECT wear.id, wear.sensor, wear.number, wear.activated_at, sensor.max_life_minutes, wear.doubt FROM wear
    CROSS JOIN sensor ON sensor.id = wear.sensor WHERE TRUE\(scope.condition(onSensor: "wear.sensor"))
    ORDER BY wear.activated_at DESC, wear.id DESC
    """
  }

  package func newestImport(
    of scope: HistoryScope, until: Instant? = nil, rings: Set<SampleRing> = .all
  ) throws(StoreError) -> Instant? {
    if rings.isEmpty { return nil }
    var values: [SQLiteValue] = [.integer((until ?? Instant.writable.upperBound).secondsSince1970)]
    let chosen = scope.condition(onSource: "source", &values)
    return try first(
      """
      SELECT time FROM entry WHERE kind = \(EntryKind.imported.rawValue) AND time <= ?1
        AND ring IN (\(SampleRow.numbers(rings))) AND \(PossibleValues.isGlucose("glucose_mg_dl"))\(chosen)
      ORDER BY time DESC LIMIT 1
      """, values)?.first?.instant
  }

  package func hasValues() throws(StoreError) -> Bool {
    try exists("SELECT 1 FROM sample UNION ALL SELECT 1 FROM entry WHERE kind = \(EntryKind.imported.rawValue) LIMIT 1")
  }

  package func undatedSamples(of scope: HistoryScope) throws(StoreError) -> Int {
    try integer(
      """
      SELECT count(*) FROM wear CROSS JOIN sample ON sample.wear = wear.id
      WHERE wear.activated_at IS NULL\(scope.condition(onSensor: "wear.sensor"))
      """) ?? 0
  }

  /// Maximum age: a sensor's memory stores it in two bytes.
  static let lastMinute = 65_535

  func newestMinute(
    _ wear: Int, in rings: Set<SampleRing> = .all, _ isUsable: Bool, until last: Int? = nil
  ) throws(StoreError) -> Int? {
    var newest: Int?
    for ring in rings {
      if let minute = try newestMinute(wear, ring, isUsable, until: last) { newest = max(newest ?? 0, minute) }
    }
    return newest
  }

  func newestMinute(
    _ wear: Int, _ ring: SampleRing, _ isUsable: Bool, until last: Int? = nil
  ) throws(StoreError) -> Int? {
    let usable = isUsable ? " AND \(SampleRow.isUsable)" : ""
    return try first(
      "SELECT minute FROM sample WHERE wear = ? AND ring = ? AND minute <= ?\(usable) ORDER BY minute DESC LIMIT 1",
      .integer(wear), .integer(SampleRow.number(ring)), .integer(last ?? Self.lastMinute))?.first?.minutes
  }

  private func newestSample(_ wear: StoreStatement, minute: Int) throws(StoreError) -> NewestSample {
    let id = wear.integer(0)
    let scan = try lastScan(ofWear: id)
    return NewestSample(
      sensor: StoredSensor.ID(row: wear.integer(1)), wear: wear.integer(2), minute: SensorMinute(minute),
      activatedAt: wear.instantOrNil(3), doubt: wear.value(5).text.flatMap(StartDoubt.init),
      maxLifeMinutes: wear.value(4).minutes,
      newestTrendMinute: try newestMinute(id, .trend, false).map(SensorMinute.init), state: scan?.state,
      ageMinutes: scan?.ageMinutes, lastReadAt: scan?.readAt)
  }
}
