// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import HostSystem

extension SensorStore {
  /// Dates a wear again: at `activatedAt`, or where most of its scans put the start. All its times change, so every
  /// client that asks for changes gets all its samples again. Later scans do not change this start.
  /// - Throws: `impossibleActivation` for a moment at which no sensor can have been started.
  package func reanchor(
    _ sensor: StoredSensor, wear: Int, at activatedAt: Instant?, isRehearsal: Bool = false
  ) throws(StoreError) -> (before: ActivationAnchor, after: ActivationAnchor) {
    if let activatedAt, !Instant.writable.contains(activatedAt) || activatedAt < .firstSensor {
      throw .impossibleActivation(activatedAt)
    }
    return try transaction { () throws(StoreError) in
      guard let row = try wearRow(sensor.id, wear) else { return (ActivationAnchor(), ActivationAnchor()) }
      try watchStandings(ofSensor: sensor.id.row)
      let before = try anchor(ofWear: row)
      var after = before
      let start: Instant? =
        if let activatedAt { activatedAt } else { StartAgreement(try datedScans(ofWear: row))?.until }
      if let start { after.fix(start) }
      let isMoved = after.activatedAt != before.activatedAt || before.doubt != after.doubt
      if isMoved, !isRehearsal { _ = try moveAnchor(ofWear: row, change: nextChange()) { $0 = after } }
      return (before, after)
    }
  }

  /// Removes a sensor with all its scans and samples; `removals` reports it. A merge does not restore it, a scan or an
  /// import does.
  package func forget(_ sensor: StoredSensor) throws(StoreError) {
    try transaction { () throws(StoreError) in
      let change = try nextChange()
      try watchStandings(ofSensor: sensor.id.row)
      for candidate in try wears(ofSensor: sensor.id.row) {
        try noteRemoval(ofSamples: "sample.wear = ?1", [.integer(candidate.wear)], change: change)
        try remove(wear: candidate.wear)
      }
      try run("DELETE FROM scan WHERE sensor = ?", .integer(sensor.id.row))
      try run("DELETE FROM sensor WHERE id = ?", .integer(sensor.id.row))
      if let uid = sensor.identity.uid?.description {
        try run("INSERT OR IGNORE INTO forgotten (uid) VALUES (?)", .text(uid))
      }
    }
  }

  func takeBack(uid: String?) throws(StoreError) {
    if let uid { try run("DELETE FROM forgotten WHERE uid = ?", .text(uid)) }
  }

  /// Returns the scans that date a wear, in the order of the sensor's age: that of their times may be wrong.
  func datedScans(ofWear wear: Int) throws(StoreError) -> [StartAgreement.Scan] {
    try statement("SELECT read_at, age_minutes FROM scan WHERE wear = ? AND is_dating ORDER BY age_minutes, read_at")
      .all(.integer(wear)) { row in
        row.instantOrNil(0).map { StartAgreement.Scan(readAt: $0, ageMinutes: row.minutes(1)) }
      }
  }
}
