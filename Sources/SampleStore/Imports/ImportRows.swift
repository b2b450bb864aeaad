// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import HostSystem

extension SensorStore {
  /// Begins an import of these files and returns its number. All rows stored before `endImport` belong to it.
  package func beginImport(of files: [String], at now: Instant) throws(StoreError) -> Int {
    let number = try transaction { () throws(StoreError) in
      try statement("INSERT INTO import (at) VALUES (?)").run(.instant(now))
      let number = Int(database.lastInsertedRow)
      for (index, file) in files.enumerated() {
        try run(
          "INSERT INTO import_file (import, number, name) VALUES (?, ?, ?)", .integer(number), .integer(index),
          .text(file))
      }
      return number
    }
    origin = .importing(number)
    return number
  }

  /// Adds to the counts of the current import. Call it in the transaction that stores the values, so that an import that
  /// is interrupted has the counts of what it stored.
  package func count(_ counts: OutcomeCounts) throws(StoreError) {
    guard case .importing(let number) = origin else { return }
    let id = SQLiteValue.integer(number)
    try transaction { () throws(StoreError) in
      try run(
        """
        UPDATE import SET scans = scans + ?2, new_scans = new_scans + ?3, added = added + ?4, filled = filled + ?5,
          known = known + ?6, conflicts = conflicts + ?7 WHERE id = ?1
        """, id, .integer(counts.scans), .integer(counts.newScans), .integer(counts.added), .integer(counts.filled),
        .integer(counts.known), .integer(counts.conflicts))
      for (reason, count) in counts.reasons {
        try run(
          """
          INSERT INTO import_left_out (import, reason, count) VALUES (?, ?, ?)
            ON CONFLICT (import, reason) DO UPDATE SET count = count + excluded.count
          """, id, .text(reason), .integer(count))
      }
    }
  }

  /// Ends the current import. Returns false for an import without any rows, which is deleted. `timeZone` is the zone used
  /// for times without one; `counts` is added to what `count` recorded.
  package func endImport(
    formats: [String], timeZone: String?, counts: OutcomeCounts = OutcomeCounts()
  ) throws(StoreError) -> Bool {
    guard case .importing(let number) = origin else { return false }
    let id = SQLiteValue.integer(number)
    defer { origin = .own }
    return try transaction { () throws(StoreError) in
      try count(counts)
      let hasRows = try hasRows(import: number)
      if formats.isEmpty, !hasRows {
        try run("DELETE FROM import WHERE id = ?", id)
        return false
      }
      try run(
        "UPDATE import SET formats = ?2, time_zone = ?3 WHERE id = ?1", id, .text(formats.joined(separator: " ")),
        .text(orNull: timeZone))
      return true
    }
  }

  package func note(_ file: DatedFile) throws(StoreError) {
    guard case .importing(let number) = origin else { return }
    try run(
      "INSERT OR REPLACE INTO import_dating (import, sha256, time_zone, date_order) VALUES (?, ?, ?, ?)",
      .integer(number), .text(file.sha256), .text(orNull: file.timeZone), .text(file.dateOrder))
  }

  /// Returns the latest import of the same file that read its times in another way, and that way; nil without one.
  package func importedOtherwise(_ file: DatedFile) throws(StoreError) -> (number: Int, at: Instant, file: DatedFile)? {
    let rows = try statement(
      """
      SELECT import.id, import.at, import_dating.time_zone, date_order FROM import_dating
        JOIN import ON import.id = import WHERE sha256 = ?1 ORDER BY import.id DESC
      """
    ).all(.text(file.sha256)) { row in
      (
        number: row.integer(0), at: row.instantOrNil(1) ?? Instant(secondsSince1970: 0),
        file: DatedFile(sha256: file.sha256, timeZone: row.textOrNil(2), dateOrder: row.textOrNil(3) ?? "")
      )
    }
    return rows.contains { $0.file == file } ? nil : rows.first
  }

  private func hasRows(import number: Int) throws(StoreError) -> Bool {
    for table in BroughtTable.all
    where try exists("SELECT 1 FROM \(table.name)_import WHERE import = ? LIMIT 1", .integer(number)) { return true }
    return false
  }

  package func imports() throws(StoreError) -> [StoredImport] {
    return try statement(
      """
      SELECT id, at, formats, time_zone, scans, new_scans, added, filled, known, conflicts FROM import ORDER BY id DESC
      """
    ).all { (row) throws(StoreError) in
      let id = row.value(0)
      var counts = OutcomeCounts()
      (counts.scans, counts.newScans, counts.added) = (row.integer(4), row.integer(5), row.integer(6))
      (counts.filled, counts.known, counts.conflicts) = (row.integer(7), row.integer(8), row.integer(9))
      let reasons = try statement("SELECT reason, count FROM import_left_out WHERE import = ?")
        .all(id) { ($0.textOrNil(0) ?? "", $0.integer(1)) }
      counts.reasons = Dictionary(reasons, uniquingKeysWith: { $1 })
      return StoredImport(
        id: row.integer(0), at: row.instantOrNil(1) ?? Instant(secondsSince1970: 0),
        files: try statement("SELECT name FROM import_file WHERE import = ? ORDER BY number")
          .all(id) { $0.textOrNil(0) },
        formats: row.textOrNil(2).map { $0.split(separator: " ").map(String.init) }, timeZone: row.textOrNil(3),
        counts: counts)
    }
  }

  package func importedEarlier() throws(StoreError) -> (values: Int, scans: Int) {
    // A scan by a reader has the reader's address, a dump does not.
    let row = try first(
      """
      SELECT (SELECT count(*) FROM entry WHERE (kind = 2 OR kind = 3 AND source IS NOT NULL
            AND id NOT IN (SELECT meter_record.entry FROM meter_record WHERE meter_record.entry IS NOT NULL))
          AND NOT EXISTS (SELECT 1 FROM entry_import WHERE entry_import.id = entry.id)),
        (SELECT count(*) FROM scan WHERE reader_address IS NULL
          AND NOT EXISTS (SELECT 1 FROM scan_import WHERE scan_import.scan = scan.number))
      """)
    return (Int(row?[0].integer ?? 0), Int(row?[1].integer ?? 0))
  }

  // MARK: Taking back

  /// - Throws: `noSuchImport`.
  package func content(ofImport number: Int) throws(StoreError) -> ImportContent {
    let known = try imports().map(\.id)
    if !known.contains(number) { throw .noSuchImport(number, known: known.reversed()) }
    let id = SQLiteValue.integer(number)
    var content = ImportContent()
    var ends: [Instant] = []
    func count(_ table: String, _ time: String, where isIt: String) throws(StoreError) -> Int {
      let row = try first("SELECT count(*), min(\(time)), max(\(time)) FROM \(table) WHERE \(isIt)", id)
      ends += [row?[1].instant, row?[2].instant].compactMap(\.self)
      return Int(row?[0].integer ?? 0)
    }
    let (isSample, isEntry) = (BroughtTable.isSample, BroughtTable.isEntry)
    content.scans = try integer("SELECT count(*) FROM (\(BroughtTable.scan.brought))", id) ?? 0
    content.samples = try count(
      "sample JOIN wear ON wear.id = sample.wear", "wear.activated_at + sample.minute * 60", where: isSample)
    content.imported = try count("entry", "time", where: "kind = 2 AND \(isEntry)")
    content.fingerSticks = try count("entry", "time", where: "kind = 3 AND \(isEntry)")
    content.bloodPressures = try count("entry", "time", where: "kind = 4 AND \(isEntry)")
    if let first = ends.min(), let last = ends.max() { content.span = first...last }
    content.sources = try statement(
      """
      SELECT DISTINCT coalesce(sensor.serial, sensor.uid, 'a sensor without UID') AS name FROM sample
        JOIN wear ON wear.id = sample.wear JOIN sensor ON sensor.id = wear.sensor WHERE \(isSample)
      UNION SELECT coalesce(source, iif(kind = 3, 'finger-sticks', 'blood pressure')) FROM entry WHERE \(isEntry)
      ORDER BY name
      """
    ).all(id) { $0.textOrNil(0) }
    for table in [BroughtTable.sample, .entry] {
      content.kept += try integer("SELECT count(*) FROM \(table.name)_import WHERE import = ?", id) ?? 0
    }
    content.kept -= content.values
    return content
  }

  /// Removes an import with the content that only it brought, and returns that content; `removals` reports the values.
  /// A merge does not restore them; another import or a scan does. The scans that are left date their sensors; a wear
  /// without any keeps its start.
  package func removeImport(_ number: Int) throws(StoreError) -> ImportContent {
    try transaction { () throws(StoreError) in
      let content = try content(ofImport: number)
      let (id, change) = (SQLiteValue.integer(number), try nextChange())
      // Merging another store again restores it.
      let isMerge = try exists("SELECT 1 FROM import WHERE id = ? AND formats = ?", id, .text(StoredImport.mergeFormat))
      let stays = isMerge ? "never" : "merged"
      let sensors = try statement(
        """
        SELECT DISTINCT sensor FROM wear WHERE id IN (SELECT wear FROM (\(BroughtTable.sample.brought)))
        UNION SELECT sensor FROM scan WHERE number IN (\(BroughtTable.scan.brought))
        """
      ).all(id) { $0.integer(0) }
      for sensor in sensors { try watchStandings(ofSensor: sensor) }
      let (isSample, isScan) = (BroughtTable.isSample, "number IN (\(BroughtTable.scan.brought))")
      try noteRemoval(ofSamples: isSample, [id], stays: stays, change: change)
      _ = try removeEntries(where: BroughtTable.isEntry, id, stays: stays)
      try run("DELETE FROM sample WHERE \(isSample)", id)
      if !isMerge { try run("INSERT OR IGNORE INTO deleted_scan (id) SELECT id FROM scan WHERE \(isScan)", id) }
      try run("DELETE FROM scan WHERE \(isScan)", id)
      try run("DELETE FROM import WHERE id = ?", id)
      for sensor in sensors {
        try removeIfEmpty(sensor: sensor, change: change)
        for candidate in try wears(ofSensor: sensor) { try date(wear: candidate.wear, change: change) }
      }
      return content
    }
  }

  /// Removes empty wears, and the sensor if it has neither wears nor scans left.
  func removeIfEmpty(sensor: Int, change: Int) throws(StoreError) {
    let empty = try statement(
      """
      SELECT id FROM wear WHERE sensor = ? AND removed_until = 0
        AND NOT EXISTS (SELECT 1 FROM sample WHERE sample.wear = wear.id)
        AND NOT EXISTS (SELECT 1 FROM scan WHERE scan.wear = wear.id)
        AND NOT EXISTS (SELECT 1 FROM user_calibration WHERE user_calibration.wear = wear.id)
      """
    ).all(.integer(sensor)) { $0.integer(0) }
    for wear in empty { try remove(wear: wear) }
    if let wear = try wears(ofSensor: sensor).first?.wear {
      if !empty.isEmpty { try number(wearsBeside: wear, change: change) }
    } else {
      try run(
        "DELETE FROM sensor WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM scan WHERE sensor = ?1)", .integer(sensor))
    }
  }
}
