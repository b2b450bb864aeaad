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
  public let offsetSeconds: @Sendable (Instant) -> Int

  /// The clock of a place.
  public init(zone: String?, offsetSeconds: @escaping @Sendable (Instant) -> Int) {
    kind = .local(zone: zone)
    self.offsetSeconds = offsetSeconds
  }

  private init() {
    kind = .sensorAge
    offsetSeconds = { _ in 0 }
  }

  public static let sensorAge = WallClock()

  /// Days since 1970-01-01, or since the sensor was started, on this clock.
  public func day(_ instant: Instant) -> Int { place(instant).day }

  /// Seconds since midnight on this clock.
  public func secondOfDay(_ instant: Instant) -> Int { place(instant).second }

  /// Both at once: an offset costs a look into the zone's table.
  func place(_ instant: Instant) -> (day: Int, second: Int) {
    let local = instant.secondsSince1970 + Int64(offsetSeconds(instant))
    let second = (local % 86_400 + 86_400) % 86_400
    return (Int((local - second) / 86_400), Int(second))
  }

  /// `2024-05-02`, or `day 3` of the sensor.
  public func name(ofDay day: Int) -> String {
    switch kind {
    case .local: String(Instant(secondsSince1970: Int64(day) * 86_400).rfc3339.prefix(10))
    case .sensorAge: "day \(day + 1)"
    }
  }

  /// `08:30`.
  public func timeOfDay(_ instant: Instant) -> String {
    String(Instant(secondsSince1970: Int64(secondOfDay(instant))).rfc3339.dropFirst(11).prefix(5))
  }
}
