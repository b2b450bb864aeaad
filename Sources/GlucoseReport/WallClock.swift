// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// The clock that times are shown in: local time, or the sensor's own age if the read time is unknown.
package struct WallClock: Sendable {
  package enum Kind: Hashable, Sendable {
    /// Local time, with the zone's name (`Europe/Rome`) if it has one.
    case local(zone: String?)
    /// Minutes since the sensor was started: times are stored as if it had been started at the beginning of 1970.
    case sensorAge
  }

  package let kind: Kind
  package let localClock: LocalClock

  package init(_ clock: LocalClock) {
    kind = .local(zone: clock.zoneName)
    localClock = clock
  }

  private init() {
    kind = .sensorAge
    localClock = .utc
  }

  package static let sensorAge = WallClock()

  /// Returns the days since 1970-01-01, or since the sensor was started, on this clock.
  package func day(_ instant: Instant) -> Int { place(instant).day }
  package func secondOfDay(_ instant: Instant) -> Int { place(instant).second }
  func place(_ instant: Instant) -> (day: Int, second: Int) { localClock.place(instant) }
  func offsetSeconds(_ instant: Instant) -> Int { localClock.offsetSeconds(at: instant) }

  /// Returns a day's name: `2024-05-02`, or `day 3` of the sensor.
  package func name(ofDay day: Int) -> String {
    switch kind {
    case .local: String(Instant(daysSince1970: day).rfc3339.prefix(10))
    case .sensorAge: "day \(day + 1)"
    }
  }

  package func timeOfDay(_ instant: Instant) -> String {
    String(Instant(secondsSince1970: Int64(secondOfDay(instant))).rfc3339.dropFirst(11).prefix(5))
  }

  func moment(_ instant: Instant) -> String { "\(name(ofDay: day(instant))) \(timeOfDay(instant))" }

  /// Description of its times.
  var words: String {
    switch kind {
    case .local(let zone?): "local time, \(zone)"
    case .local(nil): "local time"
    case .sensorAge: "time since the sensor was started; the dates are not known"
    }
  }

  /// Returns a day's short name: `2 May`, or `day 3` of the sensor.
  package func shortName(ofDay day: Int) -> String {
    switch kind {
    case .local:
      let civil = CivilTime(Instant(daysSince1970: day))
      return "\(civil.day) \(Self.month(civil.month))"
    case .sensorAge: return name(ofDay: day)
    }
  }

  static func month(_ number: Int) -> String {
    let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    return names[number - 1]
  }

  /// Returns the moments in a span at which the clock's offset changes. Offsets are checked once a day.
  package func changes(from: Instant, to: Instant) -> [Instant] {
    var changes: [Instant] = []
    var (low, high) = (from, from)
    while high < to {
      (low, high) = (high, min(to, high.adding(days: 1)))
      let offset = offsetSeconds(low)
      guard offsetSeconds(high) != offset else { continue }
      var (before, after) = (low.secondsSince1970, high.secondsSince1970)
      while after - before > 1 {
        let middle = before + (after - before) / 2
        if offsetSeconds(Instant(secondsSince1970: middle)) == offset { before = middle } else { after = middle }
      }
      changes.append(Instant(secondsSince1970: after))
    }
    return changes
  }
}
