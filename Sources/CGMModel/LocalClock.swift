// SPDX-License-Identifier: Apache-2.0

/// A clock on a wall: how far local time is ahead of UTC at each moment.
public struct LocalClock: Sendable {
  /// The name of the zone, `Europe/Rome`; nil where it has none or it is not known.
  public let zoneName: String?
  private let offset: @Sendable (Instant) -> Int

  public init(zoneName: String? = nil, offsetSeconds: @escaping @Sendable (Instant) -> Int) {
    self.zoneName = zoneName
    offset = offsetSeconds
  }

  /// The clock of Coordinated Universal Time, without a name.
  public static let utc = LocalClock { _ in 0 }

  /// Seconds that it is ahead of UTC at a moment.
  public func offsetSeconds(at instant: Instant) -> Int { offset(instant) }

  /// Days since 1970-01-01 on this clock, and seconds since midnight: both at once, since an offset costs a look into the
  /// zone's table.
  package func place(_ instant: Instant) -> (day: Int, second: Int) {
    let (day, second) = (Int(instant.secondsSince1970) + offset(instant)).floorDivided(by: Int(Instant.secondsPerDay))
    return (day, second)
  }

  /// The moments at which it shows this: none in the hour that is left out when summer time begins, two in the hour that
  /// comes twice when it ends, the earlier first.
  public func moments(of wall: CivilTime) -> [Instant] {
    // The offset a day before and a day after are the two that can hold.
    let guess = wall.instant(offsetSeconds: 0)
    let offsets = Set([guess.adding(days: -1), guess.adding(days: 1)].map(offset))
    let moments = offsets.map { wall.instant(offsetSeconds: $0) }
    return moments.filter { CivilTime($0, offsetSeconds: offset($0)) == wall }.sorted()
  }
}
