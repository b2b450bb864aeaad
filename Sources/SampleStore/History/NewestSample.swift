// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import HostSystem

package struct NewestSample: Hashable, Sendable {
  package let sensor: StoredSensor.ID
  package let facts: WearFacts
  package let minute: SensorMinute
  /// Newest trend minute of the wear, usable or not.
  package let newestTrendMinute: SensorMinute?

  package var wear: Int { facts.wear }
  package var time: Instant? { facts.activatedAt?.adding(minutes: minute.value) }
}

/// Newest entries, found by key: the time does not grow with the number of samples.
extension SensorStore {
  /// Returns the newest sample of a scope's sensors; nil without one. Prefers samples with a time. `isUsable` requires
  /// a value that may be shown and, among the scope's sensors, counts (`SupersededSpan`); `until` excludes later
  /// samples.
  package func newestSample(
    of scope: HistoryScope = HistoryScope(), rings: Set<SampleRing> = .all, until: Instant? = nil, isUsable: Bool
  ) throws(StoreError) -> NewestSample? {
    // The latest started first and those without a start last, along the index of starts.
    let wears = try statement(
      """
      SELECT wear.id, wear.sensor, wear.number, wear.activated_at FROM wear
      WHERE TRUE\(scope.condition(onSensor: "wear.sensor"))
      ORDER BY wear.activated_at DESC, wear.id DESC
      """)
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
      if minute > 0, isNewer(minute) {
        newest =
          try newestSample(wears.integer(0), number: wears.integer(2), ofSensor: wears.integer(1), minute: minute)
          ?? newest
      }
    }
    return newest
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
    try minutes(
      wear, rings, "minute <= ?\(isUsable ? " AND \(SampleRow.isUsable)" : "")", last ?? Self.lastMinute, "DESC"
    )
    .max()
  }

  /// Returns the oldest minute of a wear with a usable sample in these rings after another minute; nil without one.
  func oldestUsableMinute(_ wear: Int, in rings: Set<SampleRing> = .all, after minute: Int) throws(StoreError) -> Int? {
    try minutes(wear, rings, "minute > ? AND \(SampleRow.isUsable)", minute, "ASC").min()
  }

  /// Returns each ring's first minute in an order with a condition that binds one minute.
  private func minutes(
    _ wear: Int, _ rings: Set<SampleRing>, _ isIt: String, _ minute: Int, _ order: String
  ) throws(StoreError) -> [Int] {
    let find = try statement(
      "SELECT minute FROM sample WHERE wear = ? AND ring = ? AND \(isIt) ORDER BY minute \(order) LIMIT 1")
    return try rings.map { ring throws(StoreError) in
      try find.first(.integer(wear), .integer(SampleRow.number(ring)), .integer(minute))?.first?.minutes
    }.compactMap(\.self)
  }

  private func newestSample(
    _ wear: Int, number: Int, ofSensor row: Int, minute: Int
  ) throws(StoreError) -> NewestSample? {
    guard let sensor = try facts(ofSensor: row) else { return nil }
    return NewestSample(
      sensor: StoredSensor.ID(row: row),
      facts: try wearFacts(wear, number: number, try anchor(ofWear: wear), of: sensor), minute: SensorMinute(minute),
      newestTrendMinute: try newestMinute(wear, in: [.trend], false).map(SensorMinute.init))
  }
}
