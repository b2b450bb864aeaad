// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem

extension SensorStore {
  /// Returns the minutes of a wear in which a sensor that was started later counts, among the sensors of a scope. The
  /// first of the spans with a minute names the sensor that counts then. Costs three searches by key for a wear that no
  /// later one overlaps, which is the usual case.
  func supersededSpans(
    ofWear wear: Int, in scope: HistoryScope = HistoryScope()
  ) throws(StoreError) -> [SupersededSpan] {
    guard let newest = try newestMinute(wear, true) else { return [] }
    let chosen = scope.condition(onSensor: "wear.sensor")
    // Sensors with equal starts have the same order in every store.
    let (key, ownKey) = ("coalesce(sensor.uid, sensor.fingerprint)", "coalesce(own_sensor.uid, own_sensor.fingerprint)")
    let later = try statement(
      """
      SELECT wear.id, wear.sensor, wear.activated_at, own.activated_at
      FROM wear AS own CROSS JOIN sensor AS own_sensor ON own_sensor.id = own.sensor
      CROSS JOIN wear ON wear.activated_at BETWEEN own.activated_at AND own.activated_at + ?2 * 60
      CROSS JOIN sensor ON sensor.id = wear.sensor
      WHERE own.id = ?1 AND wear.sensor <> own.sensor AND wear.doubt IS NULL
        AND (wear.activated_at > own.activated_at OR \(key) > \(ownKey))\(chosen)
      ORDER BY wear.activated_at DESC, \(key) DESC, wear.id DESC
      """
    ).all(.integer(wear), .integer(newest)) { row -> (wear: Int, sensor: Int, start: Int64, ownStart: Int64)? in
      guard let start = row.instantOrNil(2), let ownStart = row.instantOrNil(3) else { return nil }
      return (row.integer(0), row.integer(1), start.secondsSince1970, ownStart.secondsSince1970)
    }
    var spans: [SupersededSpan] = []
    for later in later {
      let pair = SupersededSpan.Pair(wear: wear, later: later.wear)
      spans += try countingTimes(ofWear: later.wear, start: later.start).compactMap { counting in
        SupersededSpan(pair, by: later.sensor, counting: counting, from: later.ownStart, newest: newest)
      }
    }
    return spans
  }

  private func countingTimes(ofWear wear: Int, start: Int64) throws(StoreError) -> [Range<Int64>] {
    try SupersededSpan.countingTimes(
      start: start, lastState: lastScan(ofWear: wear)?.state,
      oldest: { minute throws(StoreError) in try oldestUsableMinute(wear, after: minute) },
      newest: { minute throws(StoreError) in try newestMinute(wear, true, until: minute) })
  }
}

// MARK: Changes

/// The standing of samples before the open transaction changed them: which sensors superseded which.
struct WatchedStandings {
  var sensors: Set<Int> = []
  var before: Set<SupersededSpan> = []
}

extension SensorStore {
  /// Remembers how samples of a sensor, and of sensors worn with it, stand. Call it before a transaction changes the
  /// sensor's samples, starts or states; the end of the transaction finds the difference.
  func watchStandings(ofSensor sensor: Int) throws(StoreError) {
    guard !standings.sensors.contains(sensor) else { return }
    for span in try spans(withSensor: sensor) {
      // The transaction may have changed the other sensor, whose spans were remembered then.
      let other = try span.sensor == sensor ? sensorRow(ofWear: span.pair.wear) : span.sensor
      if !standings.sensors.contains(other) { standings.before.insert(span) }
    }
    standings.sensors.insert(sensor)
  }

  func watchStandings(of facts: SensorFacts) throws(StoreError) {
    let rows = try statement("SELECT id FROM sensor WHERE uid = ?1 OR fingerprint = ?2")
      .all(.text(orNull: facts.uid), .text(orNull: facts.fingerprint)) { $0.integer(0) }
    for row in rows { try watchStandings(ofSensor: row) }
  }

  /// Marks usable samples as changed that count since this transaction and did not before, or the other way round.
  func settleStandings() throws(StoreError) {
    if standings.sensors.isEmpty { return }
    var after: Set<SupersededSpan> = []
    for sensor in standings.sensors { try after.formUnion(spans(withSensor: sensor)) }
    let before = standings.before
    standings = WatchedStandings()
    guard before != after else { return }
    let change = try nextChange()
    for (wear, minutes) in SupersededSpan.changes(from: before, to: after) {
      try touch(wear: wear, minutes: minutes, change: change)
    }
  }

  private func touch(wear: Int, minutes: ClosedRange<Int>, change: Int) throws(StoreError) {
    for table in ["sample", "revision"] {
      try run(
        """
        UPDATE \(table) SET change = ?4 WHERE wear = ?1 AND ring IN (0, 1) AND minute BETWEEN ?2 AND ?3
          \(table == "sample" ? "AND \(SampleRow.isUsable)" : "")
        """, .integer(wear), .integer(minutes.lowerBound), .integer(minutes.upperBound), .integer(change))
    }
  }

  private func spans(withSensor sensor: Int) throws(StoreError) -> Set<SupersededSpan> {
    let own = try statement("SELECT id FROM wear WHERE sensor = ?").all(.integer(sensor)) { $0.integer(0) }
    let earlier = try statement(
      """
      SELECT DISTINCT wear.id FROM wear AS own
      CROSS JOIN wear ON wear.activated_at BETWEEN own.activated_at - \(60 * Self.lastMinute) AND own.activated_at
      WHERE own.sensor = ?1 AND wear.sensor <> ?1
      """
    ).all(.integer(sensor)) { $0.integer(0) }
    var spans: Set<SupersededSpan> = []
    for wear in own { try spans.formUnion(supersededSpans(ofWear: wear)) }
    let scope = HistoryScope(of: StoredSensor.ID(row: sensor))
    for wear in earlier { try spans.formUnion(supersededSpans(ofWear: wear, in: scope)) }
    return spans
  }

  private func sensorRow(ofWear wear: Int) throws(StoreError) -> Int {
    try integer("SELECT sensor FROM wear WHERE id = ?", .integer(wear)) ?? 0
  }
}
