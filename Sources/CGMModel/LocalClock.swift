// SPDX-License-Identifier: Apache-2.0

/// A wall clock: the difference between local time and UTC at each moment.
package struct LocalClock: Sendable {
  /// The name of the zone, `Europe/Rome`; nil if it has none or is not known.
  package let zoneName: String?
  private let offset: @Sendable (Instant) -> Int

  package init(zoneName: String? = nil, offsetSeconds: @escaping @Sendable (Instant) -> Int) {
    self.zoneName = zoneName
    offset = offsetSeconds
  }

  package static let utc = LocalClock { _ in 0 }

  /// The number of seconds by which the clock is ahead of UTC at a moment.
  package func offsetSeconds(at instant: Instant) -> Int { offset(instant) }

  /// The days since 1970-01-01 on this clock, and the seconds since midnight. Both come from one call, because each
  /// lookup of the offset is expensive.
  package func place(_ instant: Instant) -> (day: Int, second: Int) {
    let (day, second) = (Int(instant.secondsSince1970) + offset(instant)).floorDivided(by: Int(Instant.secondsPerDay))
    return (day, second)
  }

  /// The moments at which the clock shows this date and time, the earlier first: none in the hour that is skipped when
  /// summer time begins, two in the hour that is repeated when it ends.
  package func moments(of wall: CivilTime) -> [Instant] {
    // The valid offset is the one of a day before or of a day after.
    let guess = wall.instant(offsetSeconds: 0)
    let offsets = Set([guess.adding(days: -1), guess.adding(days: 1)].map(offset))
    let moments = offsets.map { wall.instant(offsetSeconds: $0) }
    return moments.filter { CivilTime($0, offsetSeconds: offset($0)) == wall }.sorted()
  }
}
