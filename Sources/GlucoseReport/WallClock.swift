// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// The clock by which a person reads times: that of a place, or, where nobody knows when a sensor was read, the sensor's own.
public struct WallClock: Sendable {
  public enum Kind: Hashable, Sendable {
    /// Local time; the zone's name, `Europe/Rome`, where it has one.
    case local(zone: String?)
    /// Minutes since the sensor was started: moments are counted from 1970 as if it had been started then.
    case sensorAge
  }

  public let kind: Kind
  /// How far it is ahead of UTC at a moment.
  public let localClock: LocalClock

  /// The clock of a place.
  public init(_ clock: LocalClock) {
    kind = .local(zone: clock.zoneName)
    localClock = clock
  }

  private init() {
    kind = .sensorAge
    localClock = .utc
  }

  public static let sensorAge = WallClock()

  /// Days since 1970-01-01, or since the sensor was started, on this clock.
  public func day(_ instant: Instant) -> Int { place(instant).day }

  /// Seconds since midnight on this clock.
  public func secondOfDay(_ instant: Instant) -> Int { place(instant).second }

  func place(_ instant: Instant) -> (day: Int, second: Int) { localClock.place(instant) }

  func offsetSeconds(_ instant: Instant) -> Int { localClock.offsetSeconds(at: instant) }

  /// `2024-05-02`, or `day 3` of the sensor.
  public func name(ofDay day: Int) -> String {
    switch kind {
    case .local: String(Instant(daysSince1970: day).rfc3339.prefix(10))
    case .sensorAge: "day \(day + 1)"
    }
  }

  /// `08:30`.
  public func timeOfDay(_ instant: Instant) -> String {
    String(Instant(secondsSince1970: Int64(secondOfDay(instant))).rfc3339.dropFirst(11).prefix(5))
  }
}
