// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import SQLiteAccess

/// Removed rows, and what can restore them: `Schema` defines the words.
extension SensorStore {
  /// Removes one sample of a sensor; false if it does not exist. `removals` reports it. Scans, imports and merges do
  /// not restore it; memories that contain it stay unchanged.
  package func remove(_ stored: StoredSample) throws(StoreError) -> Bool {
    try transaction { () throws(StoreError) in
      guard let sensor = try knownSensorRow(for: SensorFacts(stored.sensor)),
        let wear = try wearRow(StoredSensor.ID(row: sensor), stored.wear)
      else { return false }
      let key: [SQLiteValue] = [
        .integer(wear), .integer(SampleRow.number(stored.sample.ring)), .integer(stored.sample.minute.value),
      ]
      let change = SQLiteValue.integer(try nextChange())
      try watchStandings(ofSensor: sensor)
      try statement(
        """
        INSERT OR REPLACE INTO deleted_sample (uid, wear, ring, minute, change, stays)
          SELECT sensor.uid, wear.number, sample.ring, sample.minute, ?4, 'always' FROM sample
          JOIN wear ON wear.id = sample.wear JOIN sensor ON sensor.id = wear.sensor
          WHERE sample.wear = ?1 AND ring = ?2 AND minute = ?3 AND sensor.uid IS NOT NULL
        """
      ).run(key + [change])
      try statement("DELETE FROM sample WHERE wear = ? AND ring = ? AND minute = ?").run(key)
      return database.changes > 0
    }
  }

  /// Returns how far a removed sample stays removed; nil if it was not removed.
  func stays(wear: SQLiteValue, ring: SQLiteValue, minute: SQLiteValue) throws(StoreError) -> String? {
    try statement(
      """
      SELECT stays FROM deleted_sample WHERE ring = ?2 AND minute = ?3 AND (uid, wear) IN
        (SELECT sensor.uid, wear.number FROM wear JOIN sensor ON sensor.id = wear.sensor WHERE wear.id = ?1)
      """
    ).first(wear, ring, minute)?.first?.text
  }

  /// Extracts a wear's permanent removals before the wear is renumbered or merged into another. Reported removals stay
  /// reported.
  func liftRemovals(ofWear wear: Int) throws(StoreError) -> [[SQLiteValue]] {
    let isOfWear = """
      stays <> 'never' AND (uid, wear) IN
        (SELECT sensor.uid, wear.number FROM wear JOIN sensor ON sensor.id = wear.sensor WHERE wear.id = ?)
      """
    let lifted = try statement("SELECT ring, minute, stays FROM deleted_sample WHERE \(isOfWear)")
      .all(.integer(wear)) { $0.values }
    if !lifted.isEmpty {
      try statement("UPDATE deleted_sample SET stays = 'never' WHERE \(isOfWear)").run(.integer(wear))
    }
    return lifted
  }

  /// Writes removals to a wear that were extracted from another wear, or from this one before it was renumbered.
  func putRemovals(_ lifted: [[SQLiteValue]], intoWear wear: Int, change: Int) throws(StoreError) {
    for removal in lifted {
      try statement(
        """
        INSERT OR REPLACE INTO deleted_sample (uid, wear, ring, minute, change, stays)
          SELECT sensor.uid, wear.number, ?2, ?3, ?5, ?4 FROM wear JOIN sensor ON sensor.id = wear.sensor
          WHERE wear.id = ?1 AND NOT EXISTS (SELECT 1 FROM sample WHERE sample.wear = ?1 AND ring = ?2 AND minute = ?3)
        """
      ).run([.integer(wear)] + removal + [.integer(change)])
    }
  }
}
