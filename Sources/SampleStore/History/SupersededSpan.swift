// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem

/// Minutes of a wear whose values do not count, because a sensor that was started later counts.
///
/// **Of two sensors that one person wears at the same time, the one that was started last counts: from the end of its
/// warm-up on, until it has ended or has given no value for eight hours.** Eight hours are what its memory holds: no
/// later scan can fill that time. So values of two sensors never alternate.
///
/// | question | answer |
/// |---|---|
/// | which samples can be superseded? | those of every wear of another sensor that was started earlier; of equal starts, the one with the smaller UID |
/// | which starts count? | firm ones: a provisional start supersedes nothing |
/// | what is a value? | a usable sample of either ring |
/// | when has it ended? | after its last value, if its latest scan does not say that it is warming up or active |
///
/// This follows from what the store holds, not from the order of its scans and not from the time now. Nothing of it is
/// stored: a change of the store marks the samples whose standing it changed as changed (`settleStandings`), by which
/// sinks and programs that follow the history learn of it.
struct SupersededSpan: Hashable {
  struct Pair: Hashable {
    let wear: Int
    let later: Int
  }

  let pair: Pair
  /// The sensor that counts, as a row of `sensor`.
  let sensor: Int
  let minutes: ClosedRange<Int>

  /// Minutes without a value after which a sensor no longer counts: the length of its memory.
  static let maximumGapMinutes = 480
}

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
      for counting in try countingTimes(ofWear: later.wear, start: later.start) {
        // The first minute at or after a moment.
        func minute(at moment: Int64) -> Int { Int((moment - later.ownStart + 59) / 60) }
        let (first, last) = (max(1, minute(at: counting.lowerBound)), min(newest, minute(at: counting.upperBound) - 1))
        if first <= last {
          spans.append(
            SupersededSpan(
              pair: SupersededSpan.Pair(wear: wear, later: later.wear), sensor: later.sensor, minutes: first...last))
        }
      }
    }
    return spans
  }

  private func countingTimes(ofWear wear: Int, start: Int64) throws(StoreError) -> [Range<Int64>] {
    let isRunning: Bool =
      switch try lastScan(ofWear: wear)?.state {
      case .active, .warmingUp: true
      case .notActivated, .expired, .shutdown, .failure, .unknown, nil: false
      }
    let gap = SupersededSpan.maximumGapMinutes
    var times: [Range<Int64>] = []
    var next = try oldestUsableMinute(wear, after: 0)
    while let first = next {
      // Along the key in steps of a whole gap, so that the cost does not grow with the number of samples.
      var last = first
      while let further = try newestMinute(wear, true, until: last + gap), further > last { last = further }
      next = try oldestUsableMinute(wear, after: last)
      let end = next == nil && !isRunning ? Int64(last) * 60 + 1 : Int64(last + gap) * 60
      times.append(start + Int64(first) * 60..<start + end)
    }
    return times
  }

  /// Returns the oldest minute of a wear with a usable sample in these rings after another minute; nil without one.
  func oldestUsableMinute(_ wear: Int, in rings: Set<SampleRing> = .all, after minute: Int) throws(StoreError) -> Int? {
    let find = try statement(
      """
      SELECT minute FROM sample WHERE wear = ? AND ring = ? AND minute > ? AND \(SampleRow.isUsable)
      ORDER BY minute LIMIT 1
      """)
    var oldest: Int?
    for ring in rings {
      let found = try find.first(.integer(wear), .integer(SampleRow.number(ring)), .integer(minute))?.first?.minutes
      if let found { oldest = min(oldest ?? found, found) }
    }
    return oldest
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
    let changed = Set(before.symmetricDifference(after).map(\.pair))
    for pair in changed {
      func minutes(_ spans: Set<SupersededSpan>) -> [ClosedRange<Int>] {
        spans.filter { $0.pair == pair }.map(\.minutes)
      }
      let (old, new) = (minutes(before), minutes(after))
      let ends = Set((old + new).flatMap { [$0.lowerBound, $0.upperBound + 1] }).sorted()
      for (first, next) in zip(ends, ends.dropFirst())
      where old.contains(where: { $0.contains(first) }) != new.contains(where: { $0.contains(first) }) {
        try touch(wear: pair.wear, minutes: first...next - 1, change: change)
      }
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
