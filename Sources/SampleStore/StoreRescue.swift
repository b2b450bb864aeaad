// SPDX-License-Identifier: Apache-2.0
package import CGMModel
package import HostSystem

extension SensorStore {
  /// Fills this new store with the rows of a damaged one that are not damaged themselves. Returns the scans whose sensor
  /// or wear is lost: they have to be stored anew.
  package func rescue(_ damaged: DamagedDatabase) throws(StoreError) -> [StoredScan] {
    try database.execute(
      """
      PRAGMA foreign_keys = OFF;
      CREATE TEMP TABLE known_sample (wear, ring, minute, PRIMARY KEY (wear, ring, minute)) WITHOUT ROWID;
      CREATE TEMP TABLE known_scan (id PRIMARY KEY) WITHOUT ROWID
      """)
    defer { try? database.execute("PRAGMA foreign_keys = ON") }
    return try transaction { () throws(StoreError) in
      let own = try first("SELECT id FROM store")
      try run("DELETE FROM store")
      try database.insert(rowsOf: damaged.pages) { record throws(StoreError) in try note(record) }
      if try !exists("SELECT 1 FROM store") {
        try run(
          "INSERT INTO store (id, change) SELECT ?, coalesce(max(change), 0) FROM sample", own?[0] ?? .blob([]))
      }
      try database.limitSteps()
      let isOrphan = "sensor.id IS NULL OR scan.wear IS NOT NULL AND wear.id IS NULL"
      let orphans = try statement("\(StoredScan.query) WHERE \(isOrphan) ORDER BY scan.number").all {
        StoredScan($0.values)
      }
      for scan in orphans { try run("DELETE FROM scan WHERE id = ?", .blob(orNull: scan.id?.bytes)) }
      try database.removeOrphans()
      return orphans
    }
  }

  /// Notes an entry of the index of changes, (change, wear, ring, minute), or of the scans' ids: what it names was there.
  private func note(_ record: DatabasePages.Record) throws(StoreError) {
    guard record.rowID == nil else { return }
    let numbers = record.values.compactMap(\.integer)
    switch (record.values.count, numbers.count) {
    case (4, 4) where (0...1).contains(numbers[2]) && (1...65_535).contains(numbers[3]):
      try run("INSERT OR IGNORE INTO known_sample VALUES (?, ?, ?)", Array(record.values.dropFirst()))
    case (2, 1) where record.values[0].blob?.count == 16:
      try run("INSERT OR IGNORE INTO known_scan VALUES (?)", record.values[0])
    default: break
    }
  }

  /// Counts what `rescue` and all that followed did not bring back, as far as the indices of the damaged file still name
  /// it: scans, and samples by sensor and day (UTC), which are nil if they cannot be told.
  package func lost() throws(StoreError) -> (
    samples: [(sensor: SensorIdentity?, day: Instant?, count: Int)], scans: Int
  ) {
    let rows = try statement(
      """
      SELECT wear.sensor, (wear.activated_at + minute * 60) / 86400, count(*) FROM known_sample
      LEFT JOIN wear ON wear.id = known_sample.wear
      WHERE NOT EXISTS (SELECT 1 FROM sample WHERE (wear, ring, minute)
        = (known_sample.wear, known_sample.ring, known_sample.minute))
      GROUP BY 1, 2 ORDER BY 1, 2
      """
    ).all { $0.values }
    let samples = try rows.map { row throws(StoreError) in
      let sensor = try row[0].integer.flatMap { row throws(StoreError) in try facts(ofSensor: Int(row))?.identity }
      return (sensor, row[1].integer.map { Instant(daysSince1970: Int($0)) }, Int(row[2].integer ?? 0))
    }
    return (samples, try integer("SELECT count(*) FROM known_scan WHERE id NOT IN (SELECT id FROM scan)") ?? 0)
  }
}
