// SPDX-License-Identifier: Apache-2.0

/// All that rules for alerts compare, at one moment.
package struct AlertFacts: Sendable {
  /// A usable value by its sensor's own minute.
  package struct Value: Hashable, Sendable {
    package let minute: Int
    package let milligrams: Double

    package init(minute: Int, milligrams: Double) { (self.minute, self.milligrams) = (minute, milligrams) }
  }

  package var now: Instant
  package var clock = LocalClock.utc
  /// The sensor that is worn: the one with the newest sample.
  package var worn: WearFacts?
  /// The newest minute of its history that was read.
  package var lastHistoryMinute: Int?
  /// The sensor of the newest usable value; another one while `worn` warms up.
  package var measured: WearFacts?
  /// Its usable history of the last day, oldest first.
  package var history: [Value] = []
  package var current: CurrentGlucose?
  package var sinks: [StoredSink] = []

  package init(now: Instant) { self.now = now }

  /// The time that a past value, or a silent sensor, is worth telling of: a day.
  static let reachMinutes = 1_440

  var newestMinute: Int? { [current?.minute.value, history.last?.minute].compactMap(\.self).max() }
}

extension WearFacts {
  /// Name of the wear by which alerts know it.
  var alertName: String { "\(identity.label)/\(wear)" }

  /// Returns the minutes from a minute of the sensor to `now`. The sensor's own clock counts until the last read, so that a
  /// wrong start does not matter; nil if the time of that read is not certain, or is not past.
  func minutes(since minute: Int, now: Instant) -> Int? {
    guard let lastReadAt, let lastAgeMinutes, doubt != .modificationTime else { return nil }
    let sinceRead = Int((now.secondsSince1970 - lastReadAt.secondsSince1970).floorDivided(by: 60).quotient)
    guard sinceRead >= -Self.toleranceMinutes else { return nil }
    return max(sinceRead, 0) + lastAgeMinutes - minute
  }

  /// The distance between the clocks of two computers that is not an error.
  private static let toleranceMinutes = 5
}

extension SensorStore {
  /// Collects what the rules for alerts compare: only values of sensors that were read, never imported ones.
  package func alertFacts(
    calibration: CalibrationChoice, clock: LocalClock, now: Instant
  ) throws(StoreError) -> AlertFacts {
    var facts = AlertFacts(now: now)
    facts.clock = clock
    facts.sinks = try sinks()
    if let worn = try newestOwnSample(isUsable: false, now: now) {
      facts.worn = worn.facts
      let last = try newestSample(of: HistoryScope(of: worn.sensor), rings: [.history], isUsable: false)
      facts.lastHistoryMinute = last?.wear == worn.wear ? last?.minute.value : nil
    }
    guard let newest = try newestOwnSample(isUsable: true, now: now),
      let latest = try latestValue(of: newest, calibration: calibration, now: now)
    else { return facts }
    facts.measured = newest.facts
    facts.current = latest.current
    let query = HistoryQuery(
      rings: [.history], from: newest.time?.adding(minutes: -AlertFacts.reachMinutes),
      of: HistoryScope(of: newest.sensor))
    try forEachEntry(query, calibration: calibration) { entry in
      guard case .sensor(let stored) = entry, stored.wear == newest.wear else { return true }
      if stored.sample.minute.value < newest.minute.value - AlertFacts.reachMinutes { return false }
      if let value = stored.sample.usableConcentration?.milligramsPerDecilitre {
        facts.history.append(AlertFacts.Value(minute: stored.sample.minute.value, milligrams: value))
      }
      return true
    }
    facts.history.reverse()
    return facts
  }
}
