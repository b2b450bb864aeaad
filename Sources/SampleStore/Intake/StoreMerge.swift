// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import HostSystem

extension SensorStore {
  /// Takes a sensor with all its scans and samples from another person's store, even if it was forgotten here.
  package func take(_ sensor: StoredSensor, from other: SensorStore) throws(StoreError) {
    try takeBack(uid: sensor.identity.uid?.description)
    _ = try merge(other, only: sensor.id)
  }

  /// Adds all data of another store that this one lacks, or all of one sensor, as an import if one was begun. Data in
  /// both stores is kept once. Data removed here, by the user or for its age, stays removed.
  package func merge(_ other: SensorStore, only chosen: StoredSensor.ID? = nil) throws(StoreError) -> MergeReceipt {
    try transaction { () throws(StoreError) in
      var receipt = MergeReceipt()
      let foreign = ForeignWears()
      try other.snapshot { () throws(StoreError) in
        let sensors = try other.statement("SELECT id, \(SensorFacts.columns) FROM sensor ORDER BY id")
          .all { (row: $0.integer(0), facts: SensorFacts(Array($0.values.dropFirst()))) }
        for sensor in sensors where chosen == nil || sensor.row == chosen?.row {
          if let uid = sensor.facts.uid, try exists("SELECT 1 FROM forgotten WHERE uid = ?", .text(uid)) {
            receipt.forgotten += 1
            continue
          }
          let change = try nextChange()
          let before = try sensorCount()
          let row = try sensorRow(for: sensor.facts, change: change)
          for wear in try other.wears(ofSensor: sensor.row) {
            let key = ForeignWears.Key(sensor: sensor.facts.identity, number: wear.number)
            let content = try other.content(ofWear: wear.wear)
            try take(content, sensor: row, key: key, from: foreign, isMerge: true, change: change, into: &receipt)
          }
          let unworn = try other.statement(
            "SELECT \(WearContent.scanColumns) FROM scan WHERE sensor = ? AND wear IS NULL"
          ).all(.integer(sensor.row)) { $0.values }
          for scan in unworn { try insert(scan: scan, sensor: row, wear: nil, into: &receipt) }
          // Nothing was restored of a sensor that was removed with an import.
          try removeIfEmpty(sensor: row, change: change)
          receipt.sensors += max(0, try sensorCount() - before)
        }
        guard chosen == nil else { return }
        let superseded = try mergeMeters(of: other)
        try copyEntries(from: other, without: superseded, into: &receipt)
      }
      return receipt
    }
  }

  private func sensorCount() throws(StoreError) -> Int { try integer("SELECT count(*) FROM sensor") ?? 0 }

  /// Copies entries that are missing here and were not removed here, except those of meters' records with another one
  /// here.
  private func copyEntries(
    from other: SensorStore, without superseded: Set<[UInt8]>, into receipt: inout MergeReceipt
  ) throws(StoreError) {
    let rows = try other.statement("SELECT \(EntryRow.columns) FROM entry")
    let (change, oldest) = (try nextChange(), try removedBefore()?.secondsSince1970 ?? .min)
    while let row = try rows.next() {
      guard row[2].integer ?? .max >= oldest, !superseded.contains(row[0].blob ?? []) else { continue }
      switch try insert(row, isTyped: false, isMerge: true, change: change) {
      case .added:
        switch EntryRow.kind(row[1]) {
        case .imported: receipt.imported += 1
        case .fingerStick: receipt.fingerSticks += 1
        case .bloodPressure: receipt.bloodPressures += 1
        case nil: break
        }
      case .conflict: receipt.conflicts += 1
      case .impossible: receipt.impossible += 1
      case .filled, .known, .leftOut: break
      }
    }
  }
}

package struct MergeReceipt: Hashable, Sendable {
  package var sensors = 0
  package var scans = 0
  package var samples = 0
  package var filled = 0
  package var conflicts = 0
  package var imported = 0
  package var fingerSticks = 0
  package var bloodPressures = 0
  /// Imported values, finger-sticks and blood pressures that were left out, because they cannot have been measured.
  package var impossible = 0
  /// Sensors that the user removed here; they stay removed.
  package var forgotten = 0
  /// Maximum difference between the other store's start of a wear and the start after the merge.
  package var maximumDisagreementSeconds = 0
  /// Maximum by which the merge moved the start of a wear that this store had dated.
  package var maximumMoveSeconds = 0

  package var counts: OutcomeCounts {
    var counts = OutcomeCounts()
    (counts.scans, counts.newScans, counts.filled, counts.conflicts) = (scans, scans, filled, conflicts)
    counts.added = samples + imported + fingerSticks + bloodPressures
    return counts
  }
}
