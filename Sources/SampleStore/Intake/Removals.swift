// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import HostSystem

/// Removed rows, and what can restore them: `Schema` defines the words.
extension SensorStore {
  /// Removes one sample of a sensor; false if it does not exist. `removals` reports it. Scans, imports and merges do
  /// not restore it; memories that contain it stay unchanged.
  package func remove(_ stored: StoredSample) throws(StoreError) -> Bool {
    try transaction { () throws(StoreError) in
      guard let sensor = try knownSensorRow(for: SensorFacts(stored.sensor)),
        let wear = try wearRow(StoredSensor.ID(row: sensor), stored.wear)
      else { return false }
      let (isIt, key) = (
        "sample.wear = ?1 AND ring = ?2 AND minute = ?3", SampleRow.key(of: stored.sample.raw, wear: wear)
      )
      let change = try nextChange()
      try watchStandings(ofSensor: sensor)
      try noteRemoval(ofSamples: isIt, key, stays: "always", change: change)
      try run("DELETE FROM sample WHERE \(isIt)", key)
      return database.changes > 0
    }
  }

  /// Records that the samples with a condition were removed, if they have ids. The condition binds three values at most.
  func noteRemoval(
    ofSamples condition: String, _ values: [SQLiteValue], stays: String = "never", change: Int
  ) throws(StoreError) {
    try run(
      """
      INSERT OR REPLACE INTO deleted_sample (uid, wear, ring, minute, change, stays)
        SELECT sensor.uid, wear.number, ring, minute, ?4, ?5 FROM sample
        JOIN wear ON wear.id = sample.wear JOIN sensor ON sensor.id = wear.sensor
        WHERE sensor.uid IS NOT NULL AND \(condition)
      """, values + Array(repeating: .null, count: 3 - values.count) + [.integer(change), .text(stays)])
  }

  /// Removes the entries with a condition on one value, `?1`, and records that; returns their number.
  func removeEntries(where isIt: String, _ value: SQLiteValue, stays: String) throws(StoreError) -> Int {
    try run(
      "INSERT OR REPLACE INTO deleted_entry (id, change, stays) SELECT id, ?2, ?3 FROM entry WHERE \(isIt)", value,
      .integer(try nextChange()), .text(stays))
    try run("DELETE FROM entry WHERE \(isIt)", value)
    return database.changes
  }

  /// SQL condition for a row of `deleted_sample` of the wear `?1`.
  static let isRemovedOfWear = """
    (uid, wear) IN (SELECT sensor.uid, wear.number FROM wear JOIN sensor ON sensor.id = wear.sensor WHERE wear.id = ?1)
    """

  /// Returns how far a removed sample stays removed; nil if it was not removed.
  func stays(_ key: [SQLiteValue]) throws(StoreError) -> String? {
    try first("SELECT stays FROM deleted_sample WHERE ring = ?2 AND minute = ?3 AND \(Self.isRemovedOfWear)", key)?
      .first?.text
  }

  /// Extracts a wear's permanent removals before it is renumbered or merged into another. Reported ones stay reported.
  func liftRemovals(ofWear wear: Int) throws(StoreError) -> [[SQLiteValue]] {
    let isOfWear = "stays <> 'never' AND \(Self.isRemovedOfWear)"
    let lifted = try statement("SELECT ring, minute, stays FROM deleted_sample WHERE \(isOfWear)")
      .all(.integer(wear)) { $0.values }
    if !lifted.isEmpty { try run("UPDATE deleted_sample SET stays = 'never' WHERE \(isOfWear)", .integer(wear)) }
    return lifted
  }

  /// Writes removals to a wear that were extracted from another wear, or from this one before it was renumbered.
  func putRemovals(_ lifted: [[SQLiteValue]], intoWear wear: Int, change: Int) throws(StoreError) {
    for removal in lifted {
      try run(
        """
        INSERT OR REPLACE INTO deleted_sample (uid, wear, ring, minute, change, stays)
          SELECT sensor.uid, wear.number, ?2, ?3, ?5, ?4 FROM wear JOIN sensor ON sensor.id = wear.sensor
          WHERE wear.id = ?1 AND NOT EXISTS (SELECT 1 FROM sample WHERE sample.wear = ?1 AND ring = ?2 AND minute = ?3)
        """, [.integer(wear)] + removal + [.integer(change)])
    }
  }
}
