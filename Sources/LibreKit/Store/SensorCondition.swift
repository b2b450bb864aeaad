// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// What a sensor does now: what it said when it was last read, and what the clock has to say since.
public struct SensorCondition: Hashable, Sendable {
  /// As it was when last read; nil where no scan of it is in the store.
  public let lastState: SensorState?
  /// nil where neither tells: a sensor that was never read at a known time may have ended since.
  public let state: SensorState?
  /// When its history stops; nil without a start or a known life.
  public let endsAt: Instant?

  /// The age runs on for so long after the maximum life, then the sensor shuts down (derived, verified on nine ended
  /// sensors: Libre1Core/MemoryFormat, "States").
  static let expiredMinutes = 720
  static let warmUpMinutes = 60
  /// No sensor of this family lasts longer: 14 days are printed on it, and the longest of the reference memories says
  /// 14½.
  static let longestLifeMinutes = 21_600

  public init(
    lastState last: SensorState?, ageMinutes: Int?, activatedAt: Instant?, maxLifeMinutes: Int?, now: Instant
  ) {
    lastState = last
    endsAt = maxLifeMinutes.flatMap { activatedAt?.adding(minutes: $0) }
    switch last {
    case .shutdown, .failure: state = last
    case .notActivated, .warmingUp, .active, .expired, .unknown, nil:
      guard let activatedAt else {
        state = nil
        return
      }
      // An age once reached is not undone by a clock that was put back.
      let elapsed = Int((now.secondsSince1970 - activatedAt.secondsSince1970) / 60)
      let age = max(elapsed, ageMinutes ?? 0)
      switch (age, maxLifeMinutes) {
      case (..<Self.warmUpMinutes, _): state = .warmingUp
      case (_, let limit?) where age >= limit + Self.expiredMinutes: state = .shutdown
      case (_, let limit?) where age >= limit: state = .expired
      case (_, .some): state = .active
      // Without a footer nobody knows how long it lasts.
      case (Self.longestLifeMinutes..., nil): state = nil
      case (_, nil): state = last == .warmingUp ? nil : last
      }
    }
  }

  /// In words, for people.
  public var words: String { Self.words(state) }

  package static func words(_ state: SensorState?) -> String {
    switch state {
    case .notActivated: "not started"
    case .warmingUp: "warming up"
    case .active: "active"
    case .expired: "expired"
    case .shutdown: "ended"
    case .failure: "failed"
    case .unknown, nil: "not known"
    }
  }
}
