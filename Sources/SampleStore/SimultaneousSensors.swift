// SPDX-License-Identifier: Apache-2.0
public import CGMModel
import SQLiteAccess

/// Two sensors with usable history values of the same time, which two persons wear, or one person who compares them.
public struct SimultaneousSensors: Hashable, Sendable {
  /// The sensor with the earlier value.
  public let first: SensorIdentity
  public let second: SensorIdentity
  /// The first and the last moment of their common time.
  public let from: Instant
  public let to: Instant

  /// Sensors that follow each other may have this much time in common: the new one is started before the old one ends.
  public static let changeMinutes = 60
}

extension SensorStore {
  /// Returns the two sensors that have the most time in common between two moments, inclusive; nil if sensors only follow
  /// each other.
  public func simultaneousSensors(
    from: Instant?, to: Instant?, of scope: HistoryScope = HistoryScope()
  ) throws(StoreError) -> SimultaneousSensors? {
    guard scope.includesSensors else { return nil }
    let rows = try statement(
      """
      SELECT sensor, activated_at + 60 * min(minute), activated_at + 60 * max(minute)
      FROM wear CROSS JOIN sample ON sample.wear = wear.id AND sample.ring = \(SampleRow.number(.history))
      WHERE activated_at IS NOT NULL AND quality = 'ok' AND activated_at + 60 * minute BETWEEN ?1 AND ?2
        \(scope.condition(onSensor: "sensor"))
      GROUP BY wear.id ORDER BY 2, 3, 1
      """)
    rows.bind([
      .integer(from?.secondsSince1970 ?? Int64.min), .integer(to?.secondsSince1970 ?? Int64.max),
    ])
    var wears: [(sensor: Int, from: Int, to: Int)] = []
    while try rows.step() { wears.append((rows.integer(0), rows.integer(1), rows.integer(2))) }
    var most: (first: Int, second: Int, from: Int, to: Int)?
    // The wear so far that ends last, and the one of another sensor: of those that began before, they have the most in
    // common with the next.
    var latest: [(sensor: Int, from: Int, to: Int)] = []
    for wear in wears {
      for other in latest where other.sensor != wear.sensor {
        let end = min(other.to, wear.to)
        guard end - wear.from >= 60 * SimultaneousSensors.changeMinutes else { continue }
        if let most, most.to - most.from >= end - wear.from { continue }
        most = (other.sensor, wear.sensor, wear.from, end)
      }
      latest.append(wear)
      latest.sort { $0.to > $1.to }
      let longest = latest[0]
      latest = [longest] + [latest.first { $0.sensor != longest.sensor }].compactMap(\.self)
    }
    guard let most, let first = try facts(ofSensor: most.first), let second = try facts(ofSensor: most.second) else {
      return nil
    }
    return SimultaneousSensors(
      first: first.identity, second: second.identity, from: Instant(secondsSince1970: Int64(most.from)),
      to: Instant(secondsSince1970: Int64(most.to)))
  }
}
