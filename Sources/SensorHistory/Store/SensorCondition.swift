// SPDX-License-Identifier: Apache-2.0

/// The present condition of a sensor, from its last read and the time since.
public struct SensorCondition: Hashable, Sendable {
  package let facts: WearFacts
  /// The present state; nil if unknown, as for a sensor that was never read at a known time.
  package let state: SensorState?

  package var lastState: SensorState? { facts.lastState }
  /// The time when its history ends; nil without a known start or maximum life.
  package var endsAt: Instant? { facts.expiresAt }

  /// Minutes from the end of the maximum life until the sensor shuts down (derived, verified on nine ended sensors:
  /// Libre1Core/MemoryFormat, "States").
  static let expiredMinutes = 720
  static let warmUpMinutes = 60
  /// The maximum life of any sensor of this family: 14 days are printed on it, and the longest reference memory has
  /// 14½.
  static let maximumLifeMinutes = 21_600

  package init(_ facts: WearFacts, now: Instant) {
    self.facts = facts
    let last = facts.lastState
    switch last {
    case .shutdown, .failure: state = last
    case .notActivated, .warmingUp, .active, .expired, .unknown, nil:
      guard let activatedAt = facts.activatedAt else {
        state = nil
        return
      }
      // The age does not decrease if the clock was set back.
      let elapsed = Int((now.secondsSince1970 - activatedAt.secondsSince1970) / 60)
      let age = max(elapsed, facts.lastAgeMinutes ?? 0)
      switch (age, facts.maxLifeMinutes) {
      case (..<Self.warmUpMinutes, _): state = .warmingUp
      case (_, let limit?) where age >= limit + Self.expiredMinutes: state = .shutdown
      case (_, let limit?) where age >= limit: state = .expired
      case (_, .some): state = .active
      // Without a footer the maximum life is unknown.
      case (Self.maximumLifeMinutes..., nil): state = nil
      case (_, nil): state = last == .warmingUp ? nil : last
      }
    }
  }

  package var words: String { Self.words(state) }

  package static func words(_ state: SensorState?) -> String {
    switch state {
    case .notActivated: "not started"
    case .warmingUp: "warming up"
    case .active: "active"
    case .expired: "expired"
    case .shutdown: "ended"
    case .failure: "failed"
    case .unknown, nil: "unknown"
    }
  }
}

extension StoredWear {
  /// Seconds per day by which the computer's clock is faster than the sensor's, by least squares over the dated scans;
  /// nil for fewer than three scans, or scans within less than a day, because a scan is exact only to a minute. Scans
  /// of a clock that was set wrong are left out: that is not drift.
  package var driftSecondsPerDay: Double? {
    let disagreements = disagreements.filter { !$0.isReported }
    guard disagreements.count >= 3, let first = disagreements.first?.readAt, let last = disagreements.last?.readAt,
      last.secondsSince1970 - first.secondsSince1970 >= Instant.secondsPerDay
    else { return nil }
    var line = LeastSquares()
    for scan in disagreements {
      line.add(
        x: Double(scan.readAt.secondsSince1970 - first.secondsSince1970) / Double(Instant.secondsPerDay),
        y: Double(scan.seconds))
    }
    return line.slope
  }
}

extension SensorStore {
  /// The calibration of a sensor's newest value; nil if it has no value.
  package func newestCalibration(of sensor: StoredSensor) throws(StoreError) -> CalibrationDescription? {
    let query = HistoryQuery(of: HistoryScope(of: sensor.id))
    var newest: CalibrationDescription?
    try forEachEntry(query) { entry in
      if case .sensor(let stored) = entry { newest = stored.calibration }
      return newest == nil
    }
    return newest
  }
}
