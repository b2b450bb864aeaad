// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import HostSystem

extension SensorStore {
  /// Returns the two sensors with the most time in common between two moments; nil if sensors only follow each other.
  package func simultaneousSensors(
    from: Instant?, to: Instant?, of scope: HistoryScope = HistoryScope()
  ) throws(StoreError) -> SimultaneousSensors? {
    guard scope.includesSensors else { return nil }
    let (start, end) = (from?.secondsSince1970 ?? Int64.min, to?.secondsSince1970 ?? Int64.max)
    // By key in each wear, so that the cost does not grow with the number of samples.
    let starts = try statement(
      """
      SELECT id, sensor, activated_at FROM wear
      WHERE activated_at <= ?2 AND activated_at + \(60 * Self.lastMinute) >= ?1\(scope.condition(onSensor: "sensor"))
      """
    ).all(.integer(start), .integer(end)) { row -> (wear: Int, sensor: Int, start: Int64)? in
      row.instantOrNil(2).map { (row.integer(0), row.integer(1), $0.secondsSince1970) }
    }
    var wears: [SimultaneousSensors.Wear] = []
    for (wear, sensor, activatedAt) in starts {
      let before = from == nil ? 0 : max(0, Int((start - activatedAt + 59) / 60) - 1)
      let last = to == nil ? nil : Int((end - activatedAt) / 60)
      guard let first = try oldestUsableMinute(wear, in: [.history], after: before),
        let newest = try newestMinute(wear, in: [.history], true, until: last), first <= newest
      else { continue }
      wears.append(.init(sensor: sensor, from: Int(activatedAt) + 60 * first, to: Int(activatedAt) + 60 * newest))
    }
    guard let most = SimultaneousSensors.most(of: wears), let first = try facts(ofSensor: most.first),
      let second = try facts(ofSensor: most.second)
    else { return nil }
    return SimultaneousSensors(
      first: first.identity, second: second.identity, from: Instant(secondsSince1970: Int64(most.from)),
      to: Instant(secondsSince1970: Int64(most.to)))
  }

  package func knows(_ sensor: SensorDescription) throws(StoreError) -> Bool {
    try knownSensorRow(for: SensorFacts(sensor, footer: nil)) != nil
  }

  /// Returns what proves that a sensor in this store was worn at the same time as that of a reading, which is not in
  /// this store. A sensor proves that it was worn from its start to the last scan at which it was active. Scans without
  /// a certain time prove nothing, and a sensor that was started after the last scan of another one replaced it.
  package func sensorWornMeanwhile(_ reading: SensorReading) throws(StoreError) -> WornMeanwhile? {
    guard reading.dating == .firm, let startedAt = reading.sensor.activatedAt else { return nil }
    let age = min(reading.sensor.ageMinutes, reading.sensor.maxLifeMinutes ?? .max)
    let row = try first(
      """
      SELECT max(scan.read_at) AS last FROM wear JOIN scan ON scan.wear = wear.id
      WHERE scan.is_dating AND scan.state IN (?3, ?4) AND wear.activated_at + ?5 < ?2 AND wear.doubt IS NULL
      GROUP BY wear.id HAVING last > ?1 + ?5 ORDER BY last DESC LIMIT 1
      """, .instant(startedAt), .instant(startedAt.adding(minutes: age)), .text(SensorState.warmingUp.name),
      .text(SensorState.active.name), .integer(ActivationAnchor.reportedDisagreementSeconds))
    return row?[0].instant.map { WornMeanwhile(startedAt: startedAt, lastReadAt: $0) }
  }
}
