// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import SQLiteAccess

/// Two sensors that were worn at the same time for sure, as the ages and times of their scans prove.
package struct WornMeanwhile: Hashable, Sendable {
  /// The start of the unknown sensor.
  package let startedAt: Instant
  /// The last time at which a scan showed the sensor in the store active.
  package let lastReadAt: Instant
}

extension SensorStore {
  package func knows(_ sensor: SensorDescription) throws(StoreError) -> Bool {
    try knownSensorRow(for: SensorFacts(sensor, footer: nil)) != nil
  }

  /// Returns what proves that a sensor in this store was worn at the same time as that of a reading, which is not in
  /// this store. A sensor proves that it was worn from its start to the last scan at which it was active. Scans without
  /// a certain time prove nothing, and a sensor that was started after the last scan of another one replaced it.
  package func sensorWornMeanwhile(_ reading: SensorReading) throws(StoreError) -> WornMeanwhile? {
    guard IncomingScan(reading, footer: nil, timeZone: nil).isDating, let startedAt = reading.sensor.activatedAt
    else { return nil }
    let age = min(reading.sensor.ageMinutes, reading.sensor.maxLifeMinutes ?? .max)
    let row = try first(
      """
      SELECT max(scan.read_at) AS last FROM wear JOIN scan ON scan.wear = wear.id
      WHERE scan.is_dating AND scan.state IN (?3, ?4) AND wear.activated_at + ?5 < ?2 AND NOT wear.is_provisional
      GROUP BY wear.id HAVING last > ?1 + ?5 ORDER BY last DESC LIMIT 1
      """, .instant(startedAt), .instant(startedAt.adding(minutes: age)), .text(SensorState.warmingUp.name),
      .text(SensorState.active.name), .integer(ActivationAnchor.reportedDisagreementSeconds))
    return row?[0].instant.map { WornMeanwhile(startedAt: startedAt, lastReadAt: $0) }
  }
}
