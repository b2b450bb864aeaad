// SPDX-License-Identifier: Apache-2.0
public import CGMModel
import Libre1Core
public import SampleStore

/// The newest usable value in the store, with all that tells whether it may be taken for the present one.
public struct LatestValue: Hashable, Sendable {
  public let entry: HistoryEntry
  public let concentration: GlucoseConcentration
  /// How it has changed in the 15 minutes before, mg/dL; nil where no value of that time is known.
  public let change: Double?
  /// mg/dL per minute by the rule of LibreDocuments/Contract, "Current value"; nil for a stale value, which says
  /// nothing about now.
  public let ratePerMinute: Double?
  /// nil for an imported value.
  public let condition: SensorCondition?
  public let lastReadAt: Instant?
  /// Whole minutes since it was measured; nil for a value without a time. Negative where clocks disagree.
  public let ageMinutes: Int?

  /// Minutes after which a value is stale: a sensor is asked that seldom at best (the limit is ours).
  public static let staleMinutes = 20

  /// What the value is the limit of: the true one is lower, or higher. nil for a measured value.
  public var bound: ImportedSample.Bound? {
    if case .imported(let imported) = entry { imported.bound } else { nil }
  }

  /// `<` or `>` before a value that is a limit.
  package var mark: String { bound?.mark ?? "" }

  public var isStale: Bool { Self.isStale(ageMinutes) }
  public var direction: TrendDirection { TrendDirection(ratePerMinute: ratePerMinute) }

  static func isStale(_ ageMinutes: Int?) -> Bool { ageMinutes.map { abs($0) > staleMinutes } ?? true }

  static func age(of time: Instant?, now: Instant) -> Int? {
    time.map { Int(((now.secondsSince1970 - $0.secondsSince1970) / 60)) }
  }
}

extension ImportedSample.Bound {
  /// Before a value that is a limit.
  package var mark: String {
    switch self {
    case .low: "<"
    case .high: ">"
    }
  }
}

extension SensorStore {
  /// The newest usable value of all sensors, and of imports where the sensors' is stale.
  ///
  /// Throws `noValue` if there is none.
  public func latestValue(
    now: Instant, calibration: CalibrationChoice = .factory, ignoring sources: Set<String> = []
  ) throws(StoreError) -> LatestValue {
    // A value of tomorrow is a mistake of some clock's; it is shown if there is no other.
    let soon = now.adding(minutes: LatestValue.staleMinutes)
    var own = try newestSample(until: soon, isUsable: true)
    if own == nil { own = try newestSample(isUsable: true) }
    let isStale = own.map { LatestValue.isStale(LatestValue.age(of: $0.time, now: now)) } ?? true
    // A value of tomorrow is a mistake of that program's, and not the newest.
    if isStale, let importedAt = try newestImport(of: HistoryScope(ignoredSources: sources), until: now),
      importedAt > own?.time ?? Instant(secondsSince1970: .min),
      let value = try imported(at: importedAt, ignoring: sources, now: now)
    {
      return value
    }
    guard let own, let value = try value(of: own, calibration: calibration, now: now) else {
      throw .noValue(path: path)
    }
    return value
  }

  private func value(
    of newest: NewestSample, calibration: CalibrationChoice, now: Instant
  ) throws(StoreError) -> LatestValue? {
    // Newest first, and of the same minute the trend's.
    var usable: [StoredSample] = []
    var current = newest.newestTrendMinute.map(CurrentValue.init)
    var values = try WearValues(of: self, calibration: calibration)
    try forEachEntry(query(around: newest), with: &values) { entry throws(StoreError) in
      guard case .sensor(let stored) = entry, stored.wear == newest.wear else { return true }
      // Without times the query has no beginning.
      if stored.sample.minute.value < newest.minute.value - Self.reachMinutes { return false }
      if stored.sample.ring == .trend { current?.add(stored.sample) }
      if stored.sample.usableConcentration != nil { usable.append(stored) }
      return true
    }
    // What a scan calls current goes before a history value that is a minute or two newer and has no rate.
    let glucose = current?.glucose
    let trend = usable.first { $0.sample.ring == .trend && $0.sample.minute == glucose?.minute }
    guard let found = trend ?? usable.first, let concentration = found.sample.concentration else { return nil }
    let wanted = found.sample.minute.value - Self.changeMinutes
    let before = usable.filter { abs($0.sample.minute.value - wanted) <= Self.changeTolerance }
      .min { abs($0.sample.minute.value - wanted) < abs($1.sample.minute.value - wanted) }?.sample.concentration
    let age = LatestValue.age(of: found.sample.time, now: now)
    let condition = SensorCondition(
      lastState: newest.state, ageMinutes: newest.ageMinutes, activatedAt: newest.activatedAt,
      maxLifeMinutes: newest.maxLifeMinutes, now: now)
    let isHeading = trend != nil && !LatestValue.isStale(age) && [.active, .expired].contains(condition.state)
    return LatestValue(
      entry: .sensor(found.identified()), concentration: concentration,
      change: before.map { concentration.milligramsPerDecilitre - $0.milligramsPerDecilitre },
      ratePerMinute: isHeading ? values.ratePerMinute(of: found) ?? glucose?.ratePerMinute : nil, condition: condition,
      lastReadAt: newest.lastReadAt,
      ageMinutes: age)
  }

  /// Both rings from the change's beginning on; all of the sensor's where it has no times.
  private func query(around newest: NewestSample) -> HistoryQuery {
    var query = HistoryQuery()
    query.rings = Set(SampleRing.allCases)
    query.scope = HistoryScope(of: newest.sensor)
    query.from = newest.time?.adding(minutes: -Self.reachMinutes)
    return query
  }

  private func imported(
    at time: Instant, ignoring sources: Set<String>, now: Instant
  ) throws(StoreError) -> LatestValue? {
    var query = HistoryQuery()
    query.rings = Set(SampleRing.allCases)
    query.scope = HistoryScope(sensors: [], ignoredSources: sources)
    query.from = time.adding(minutes: -Self.changeMinutes - Self.changeTolerance)
    query.to = time
    var newest: ImportedSample?
    var before: (distance: Int64, concentration: GlucoseConcentration)?
    try forEachEntry(query, withIDs: false) { entry in
      guard case .imported(let imported) = entry else { return true }
      if newest == nil { newest = imported }
      guard imported.source == newest?.source, imported.device == newest?.device else { return true }
      // Between limits nobody knows the change.
      guard imported.bound == nil, newest?.bound == nil else { return true }
      let wanted = time.adding(minutes: -Self.changeMinutes)
      let distance = abs(imported.time.secondsSince1970 - wanted.secondsSince1970)
      if distance <= Int64(60 * Self.changeTolerance), distance < before?.distance ?? .max {
        before = (distance, imported.concentration)
      }
      return true
    }
    return newest.map { newest in
      LatestValue(
        entry: .imported(newest), concentration: newest.concentration,
        change: before.map { newest.concentration.milligramsPerDecilitre - $0.concentration.milligramsPerDecilitre },
        ratePerMinute: nil, condition: nil, lastReadAt: nil,
        ageMinutes: LatestValue.age(of: newest.time, now: now))
    }
  }

  private static let changeMinutes = 15
  /// The minute itself may be missing or flagged.
  private static let changeTolerance = 2
  /// The change of a current value that is five minutes behind the newest minute.
  private static let reachMinutes = changeMinutes + changeTolerance + 5
}
