// SPDX-License-Identifier: Apache-2.0
import CGMModel
import SQLiteAccess

extension SensorStore {
  /// Takes over all that another store has and this one lacks. It is a union: whatever is in both is there once, and the
  /// order of merges makes no difference. What was removed here stays removed.
  public func merge(_ other: SensorStore) throws(StoreError) -> MergeReceipt {
    try transaction { () throws(StoreError) in
      var receipt = MergeReceipt()
      try other.snapshot { () throws(StoreError) in
        let sensors = try other.perform { () throws(SQLiteFailure) in try other.sensorRows() }
        for sensor in sensors {
          let contents = try other.perform { () throws(SQLiteFailure) in try other.contents(ofSensor: sensor.row) }
          try perform { () throws(SQLiteFailure) in
            let change = try nextChange()
            let before = try sensorCount()
            let row = try sensorRow(for: sensor.facts, change: change)
            receipt.sensors += max(0, try sensorCount() - before)
            for content in contents.wears { try take(content, sensor: row, change: change, into: &receipt) }
            for scan in contents.unworn {
              try insert(scan: scan, sensor: row, wear: nil, change: change, into: &receipt)
            }
          }
        }
        receipt.imported = try copy("imported", "id, source, device, ring, time, glucose_mg_dl, bound", from: other)
        receipt.fingerSticks = try copy("finger_stick", "id, time, glucose_mg_dl, note, source", from: other)
      }
      return receipt
    }
  }

  private func sensorRows() throws(SQLiteFailure) -> [(row: Int, facts: SensorFacts)] {
    let rows = try statement("SELECT id, \(SensorFacts.columns) FROM sensor ORDER BY id")
    var sensors: [(Int, SensorFacts)] = []
    while let row = try rows.next() {
      sensors.append((Int(row[0].integer ?? 0), SensorFacts(Array(row.dropFirst()))))
    }
    return sensors
  }

  private func contents(
    ofSensor sensor: Int
  ) throws(SQLiteFailure) -> (wears: [WearContent], unworn: [[SQLiteValue]]) {
    var wears: [WearContent] = []
    for candidate in try self.wears(ofSensor: sensor) { wears.append(try content(ofWear: candidate.wear)) }
    let scans = try statement("SELECT \(WearContent.scanColumns) FROM scan WHERE sensor = ? AND wear IS NULL")
    scans.bind(sensor, at: 1)
    var unworn: [[SQLiteValue]] = []
    while let scan = try scans.next() { unworn.append(scan) }
    return (wears, unworn)
  }

  private func sensorCount() throws(SQLiteFailure) -> Int {
    Int(try statement("SELECT count(*) FROM sensor").first()?.first?.integer ?? 0)
  }

  /// Copies the rows that are neither here nor were removed here; the number of them.
  private func copy(_ table: String, _ columns: String, from other: SensorStore) throws(StoreError) -> Int {
    let rows = try other.perform { () throws(SQLiteFailure) in
      try other.statement("SELECT \(columns) FROM \(table)")
    }
    let change = try perform { () throws(SQLiteFailure) in try nextChange() }
    let marks = columns.split(separator: ",").indices.map { _ in "?" }.joined(separator: ", ")
    var copied = 0
    while let row = try other.perform({ () throws(SQLiteFailure) in try rows.next() }) {
      copied += try perform { () throws(SQLiteFailure) in
        let wasRemoved = try statement("SELECT 1 FROM deleted WHERE id = ?").first(row[0]) != nil
        if wasRemoved { return 0 }
        let insert = try statement(
          "INSERT INTO \(table) (change, \(columns)) VALUES (?, \(marks)) ON CONFLICT DO NOTHING")
        insert.bind([.integer(change)] + row)
        while try insert.step() {}
        return database.changes
      }
    }
    return copied
  }
}
