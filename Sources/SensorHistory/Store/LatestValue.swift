// SPDX-License-Identifier: Apache-2.0

/// The newest usable value in the store, with the facts that show if it is current.
public struct LatestValue: Hashable, Sendable {
  public let entry: HistoryEntry
  public let concentration: GlucoseConcentration
  /// The change in the last 15 minutes, mg/dL; nil if no value from that time is known.
  public let change: Double?
  /// The current value of the last scan by the rule of LibreDocuments/Contract, "Current value"; nil if the value is one of
  /// the history, or its sensor does not measure.
  package let current: CurrentGlucose?
  /// The condition of the sensor; nil for an imported value.
  public let condition: SensorCondition?
  /// Whole minutes since the measurement; nil for a value without a time. Negative if clocks disagree.
  public let ageMinutes: Int?

  /// The age in minutes after which a value is stale (libre's own choice).
  package static let staleMinutes = ValueAge.staleMinutes

  /// The side on which the true value is beyond this limit; nil for a measured value.
  package var bound: ImportedSample.Bound? {
    if case .imported(let imported) = entry { imported.bound } else { nil }
  }

  package var mark: String { bound?.mark ?? "" }

  public var lastReadAt: Instant? { condition?.facts.lastReadAt }
  /// The reason why its time may be wrong; nil if nothing speaks against it.
  public var doubt: StartDoubt? { condition?.facts.doubt }

  /// The rate in mg/dL per minute; nil for a stale value.
  public var ratePerMinute: Double? { isStale ? nil : current?.ratePerMinute }

  package var isStale: Bool { Self.isStale(ageMinutes) }
  package var direction: TrendDirection { TrendDirection(ratePerMinute: ratePerMinute) }

  package static func isStale(_ ageMinutes: Int?) -> Bool { ageMinutes.map { abs($0) > staleMinutes } ?? true }

  static func age(of time: Instant?, now: Instant) -> Int? {
    time.map { Int(((now.secondsSince1970 - $0.secondsSince1970) / 60)) }
  }
}

extension ImportedSample.Bound {
  package var mark: String {
    switch self {
    case .low: "<"
    case .high: ">"
    }
  }
}

extension SensorStore {
  /// The newest usable value of all sensors, or of imports if that is stale.
  /// - Throws: `no_value` if the store has none.
  public func latestValue(
    now: Instant, calibration: CalibrationChoice = .factory, ignoring sources: Set<String> = []
  ) throws(LibreError) -> LatestValue {
    try libre(newestValue(now: now, calibration: calibration, ignoring: sources))
  }

  package func newestValue(
    now: Instant, calibration: CalibrationChoice, ignoring sources: Set<String>
  ) throws(StoreError) -> LatestValue {
    let own = try newestOwnSample(isUsable: true, now: now)
    let isStale = own.map { LatestValue.isStale(LatestValue.age(of: $0.time, now: now)) } ?? true
    // An imported value from the future is an error of that program, and not the newest.
    if isStale, let importedAt = try newestImport(of: HistoryScope(ignoredSources: sources), until: now),
      importedAt > own?.time ?? Instant(secondsSince1970: .min),
      let value = try imported(at: importedAt, ignoring: sources, now: now)
    {
      return value
    }
    guard let own, let value = try latestValue(of: own, calibration: calibration, now: now) else {
      throw .noValue(path: path)
    }
    return value
  }

  /// The newest finger-stick that was measured after this time; nil without one, or if the time is unknown.
  package func fingerStick(after time: Instant?, now: Instant) throws(StoreError) -> FingerStick? {
    guard let time else { return nil }
    var query = HistoryQuery(rings: [], from: Instant(secondsSince1970: time.secondsSince1970 + 1), to: now)
    (query.includesFingerSticks, query.limit) = (true, 1)
    var newest: FingerStick?
    try forEachEntry(query) { entry in
      if case .fingerStick(let stick) = entry { newest = stick }
      return true
    }
    return newest
  }

  /// The newest sample of all sensors. One from the future comes from a wrong clock: it counts only without another.
  func newestOwnSample(isUsable: Bool, now: Instant) throws(StoreError) -> NewestSample? {
    let soon = now.adding(minutes: LatestValue.staleMinutes)
    if let newest = try newestSample(until: soon, isUsable: isUsable) { return newest }
    return try newestSample(isUsable: isUsable)
  }

  /// The newest usable value of the wear of `newest`: wherever a value is shown or sent as the present one, it is this.
  package func latestValue(
    of newest: NewestSample, calibration: CalibrationChoice, now: Instant
  ) throws(StoreError) -> LatestValue? {
    // Newest first; within one minute the trend's value comes first.
    var usable: [StoredSample] = []
    var newestTrend: StoredSample?
    var current = newest.newestTrendMinute.map(CurrentValue.init)
    var values = try WearValues(of: self, calibration: calibration)
    // Both rings, from the start of the change; unlimited for a sensor without times.
    let query = HistoryQuery(
      rings: .all, from: newest.time?.adding(minutes: -Self.reachMinutes), of: HistoryScope(of: newest.sensor))
    try forEachEntry(query, with: &values) { entry throws(StoreError) in
      guard case .sensor(let stored) = entry, stored.wear == newest.wear else { return true }
      // Without times the query is unlimited.
      if stored.sample.minute.value < newest.minute.value - Self.reachMinutes { return false }
      if stored.sample.ring == .trend {
        current?.add(stored.sample)
        newestTrend = newestTrend ?? stored
      }
      if stored.sample.usableConcentration != nil { usable.append(stored) }
      return true
    }
    // The current value of a scan is preferred to a history value that is slightly newer but has no rate.
    let glucose = newestTrend.flatMap { trend in
      current?.glucose { values.current(at: $0, of: trend.sensor, wear: trend.wear) }
    }
    // The newest minute may be current although it is not usable.
    let ofCurrent = (usable + [newestTrend].compactMap(\.self)).first {
      $0.sample.ring == .trend && $0.sample.minute == glucose?.minute
    }
    guard let found = ofCurrent ?? usable.first,
      let concentration = ofCurrent == nil ? found.sample.concentration : glucose?.concentration
    else { return nil }
    let wanted = found.sample.minute.value - Self.changeMinutes
    let before = usable.filter { abs($0.sample.minute.value - wanted) <= Self.changeTolerance }
      .min { abs($0.sample.minute.value - wanted) < abs($1.sample.minute.value - wanted) }?.sample.concentration
    let condition = SensorCondition(newest.facts, now: now)
    let isMeasuring = [.active, .expired].contains(condition.state)
    return LatestValue(
      entry: .sensor(found), concentration: concentration,
      change: before.map { concentration.milligramsPerDecilitre - $0.milligramsPerDecilitre },
      current: ofCurrent != nil && isMeasuring ? glucose : nil, condition: condition,
      ageMinutes: LatestValue.age(of: found.sample.time, now: now))
  }

  private func imported(
    at time: Instant, ignoring sources: Set<String>, now: Instant
  ) throws(StoreError) -> LatestValue? {
    let wanted = time.adding(minutes: -Self.changeMinutes)
    let query = HistoryQuery(
      rings: .all, from: wanted.adding(minutes: -Self.changeTolerance), to: time,
      of: HistoryScope(sensors: [], ignoredSources: sources))
    var newest: ImportedSample?
    var before: (distance: Int64, concentration: GlucoseConcentration)?
    try forEachEntry(query) { entry in
      guard case .imported(let imported) = entry else { return true }
      if newest == nil { newest = imported }
      // The change is unknown if one of the values is a limit.
      guard imported.source == newest?.source, imported.device == newest?.device, imported.bound == nil,
        newest?.bound == nil
      else { return true }
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
        current: nil, condition: nil, ageMinutes: LatestValue.age(of: newest.time, now: now))
    }
  }

  private static let changeMinutes = 15
  private static let changeTolerance = 2
  /// The minutes needed for the change of a current value that is five minutes older than the newest minute.
  private static let reachMinutes = changeMinutes + changeTolerance + 5
}
