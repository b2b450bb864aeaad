// SPDX-License-Identifier: Apache-2.0
import CGMModel
import LibreKit
import SampleStore
import SensorHistory

/// Reads a store for the server: the snapshot of its newest values, and older values on demand. The store is open for
/// one answer only: in between it is a single file, which may be copied, moved or removed.
struct StoredValues: Sendable {
  /// Days that a snapshot holds: the reach of a request without a date.
  private static let snapshotDays = 4
  /// The most finger-sticks in a snapshot: several months' worth.
  private static let maximumFingerSticks = 1_000

  let path: String
  let calibration: CalibrationChoice
  let ignoredSources: Set<String>
  let unit: GlucoseUnit

  /// Opens the store. Times that are served stay from then on, like those that are shown.
  /// - Throws: `missing` if nothing was stored yet.
  func open() throws(StoreError) -> SensorStore {
    do throws(LibreError) {
      return try StoreFile.openForReading(path)
    } catch {
      if let error = error.cause as? StoreError { throw error }
      throw .cannotOpen(path: path, words: error.message)
    }
  }

  func glucose(from: Instant?, to: Instant?, limit: Int) throws(StoreError) -> [ServedGlucose] {
    let store = try open()
    let end = if let to { to } else { try newestTime(in: store) }
    // Start with a short span: the store sorts everything it matches.
    var days = max(1, limit / (24 * 60))
    while let end, days < 36_500 {
      let start = end.adding(days: -days)
      if let from, start <= from { break }
      let found = try glucose(from: start, to: to, limit: limit, in: store)
      if found.count >= limit { return found }
      days *= 8
    }
    return try glucose(from: from, to: to, limit: limit, in: store)
  }

  private func glucose(
    from: Instant?, to: Instant?, limit: Int, in store: SensorStore
  ) throws(StoreError) -> [ServedGlucose] {
    var query = HistoryQuery()
    query.rings = Set(SampleRing.allCases)
    query.scope = HistoryScope(ignoredSources: ignoredSources)
    // The change and direction of the oldest value are computed from values before it.
    query.from = from?.adding(minutes: -GlucoseSeries.reachMinutes)
    query.to = to
    query.marksSuperseded = true
    var series = GlucoseSeries(limit: limit, from: from)
    try store.forEachEntry(query, calibration: calibration) { series.add($0) }
    return series.values
  }

  private func newestTime(in store: SensorStore) throws(StoreError) -> Instant? {
    let own = try store.newestSample(isUsable: true)?.time
    let imported = try store.newestImport(of: HistoryScope(ignoredSources: ignoredSources))
    return [own, imported].compactMap(\.self).max()
  }

  func latest(now: Instant) throws(StoreError) -> LatestValue {
    try open().newestValue(now: now, calibration: calibration, ignoring: ignoredSources)
  }

  func history(from: Instant, to: Instant) throws(StoreError) -> GlucoseHistory {
    try open().glucoseHistory(
      from: from, to: to, includesFingerSticks: true, calibration: calibration,
      of: HistoryScope(ignoredSources: ignoredSources))
  }

  /// The newest rows at this moment; an empty snapshot if nothing was stored yet.
  func snapshot(now: Instant) throws(StoreError) -> ServerSnapshot {
    let store: SensorStore
    do throws(StoreError) {
      store = try open()
    } catch .missing {
      return ServerSnapshot(revision: "none", glucose: [])
    }
    return try store.snapshot { () throws(StoreError) in try snapshot(of: store, now: now) }
  }

  private func snapshot(of store: SensorStore, now: Instant) throws(StoreError) -> ServerSnapshot {
    let newest = try newestTime(in: store).map { min($0, now) }
    let from = newest?.adding(days: -Self.snapshotDays)
    let sensors = try store.sensors()
    let sinks = try store.sinks().map {
      ServedSink(name: $0.name, queued: $0.queued, parked: $0.parked, problem: $0.stop?.reason ?? $0.lastError)
    }
    let alerts = try store.alertMemories().compactMap { rule, memory -> ServedAlert? in
      guard let at = memory.toldAt, let words = memory.last else { return nil }
      return ServedAlert(rule: rule, at: at, words: words, lasts: !memory.told.isEmpty)
    }.sorted { ($0.at, $0.rule) > ($1.at, $1.rule) }
    let samples = sensors.reduce(0) { $0 + $1.sampleCount }
    return ServerSnapshot(
      revision: "\(try store.anchor())-\(Self.digest(of: sinks, alerts))",
      glucose: try glucose(from: from, to: nil, limit: .max - 1, in: store), completeFrom: from,
      fingerSticks: try fingerSticks(in: store), sensors: sensors.flatMap(Self.served), sinks: sinks,
      storedSamples: samples, alerts: alerts)
  }

  private func fingerSticks(in store: SensorStore) throws(StoreError) -> [ServedFingerStick] {
    var query = HistoryQuery()
    query.rings = []
    query.includesFingerSticks = true
    query.limit = Self.maximumFingerSticks
    var sticks: [ServedFingerStick] = []
    try store.forEachEntry(query) { entry in
      if case .fingerStick(let stick) = entry {
        sticks.append(
          ServedFingerStick(
            id: ServedID.text(entry), time: stick.time, concentration: stick.concentration, unit: unit,
            source: stick.source ?? HistoryScope.ownSource))
      }
      return true
    }
    return sticks
  }

  private static func served(_ sensor: StoredSensor) -> [ServedSensor] {
    sensor.wears.reversed().map { wear in
      ServedSensor(
        id: ServedID.text(sensor.identity, wear: wear.number), serial: SensorNames.short(sensor.identity),
        facts: wear.facts)
    }
  }

  /// Sending and telling change no sample, so that the store's anchor says nothing about them.
  private static func digest(of sinks: [ServedSink], _ alerts: [ServedAlert]) -> String {
    let told = alerts.map { "\($0.rule)/\($0.at.secondsSince1970)/\($0.lasts)" }
    let text = (sinks.map { "\($0.name)/\($0.queued)/\($0.parked)/\($0.problem ?? "")" } + told).joined(separator: "\n")
    return HexText.string(of: HashFunction.sha1.digest(of: Array(text.utf8)).prefix(4))
  }
}
