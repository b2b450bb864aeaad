// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import HostSystem

extension SensorStore {
  /// Lists faults that SQLite finds in the file, rows that refer to missing rows, rows that were not written by libre as
  /// they are, and impossible values; empty for an intact file.
  package func faults() throws(StoreError) -> [String] {
    var faults = try database.faults()
    for table in try ChecksummedTable.all(in: database) { faults += try table.faults(in: database) }
    for (table, key, condition) in PossibleValues.conditions {
      faults += try ChecksummedTable.faults(in: database, table, key, where: condition, "has an impossible value")
    }
    return faults
  }

  /// Calls `scan` for scans with their memories, to decode them again: all scans, or those of a sensor that lack a
  /// footer known by now. `scan` returns false to stop.
  package func forEachScan(
    lackingFooterOf sensor: StoredSensor.ID? = nil, _ scan: (StoredScan) throws(StoreError) -> Bool
  ) throws(StoreError) {
    if let sensor {
      // Without a footer, the scans need not be searched at every new scan.
      guard try exists("SELECT 1 FROM sensor WHERE id = ? AND footer IS NOT NULL", .integer(sensor.row)) else { return }
    }
    let condition = sensor == nil ? "?1 IS NULL" : "scan.sensor = ?1 AND scan.lacks_footer"
    let rows = try database.statement("\(StoredScan.query) WHERE \(condition) ORDER BY scan.number")
    rows.bind([.integer(sensor?.row)])
    while let row = try rows.next() {
      guard try scan(StoredScan(row)) else { return }
    }
  }

  package func holds(scan id: SampleID) throws(StoreError) -> Bool {
    try exists("SELECT 1 FROM scan WHERE id = ?", .blob(id.bytes))
  }

  /// True if these counts are stored as a sample or a conflict, or are missing for a good reason.
  package func holds(_ raw: RawSample, sensor: StoredSensor.ID, wear: Int) throws(StoreError) -> Bool {
    guard let row = try wearRow(sensor, wear) else { return false }
    return try holds(raw, wear: row)
  }

  func holds(_ raw: RawSample, wear row: Int) throws(StoreError) -> Bool {
    for table in ["sample", "conflict"] {
      let find = try statement("SELECT 1 FROM \(table) WHERE \(SampleRow.isSame)")
      find.bind(row, at: 1)
      SampleRow.bind(raw, to: find, first: 2)
      defer { find.reset() }
      if try find.step() { return true }
    }
    if try removedUntil(ofWear: row) >= Int64(raw.minute.value) { return true }
    if try stays(SampleRow.key(of: raw, wear: row)) == "always" { return true }
    // Only one of an error and a value for the same minute is kept; the other is still in the memory of its scan.
    let stored = try SampleRow.found(of: raw, wear: row, by: statement(SampleRow.find))
    return stored.map { $0.raw.hasError != raw.hasError } ?? false
  }

  /// Returns in words how a stored sample differs from the same counts decoded again; nil also if the minute has other
  /// counts, and for a value by another calibration. One from an export has the decimals of that file, and may lack its
  /// value.
  package func difference(
    from sample: GlucoseSample, calibration: CalibrationDescription?, sensor: StoredSensor.ID, wear: Int
  ) throws(StoreError) -> String? {
    guard let row = try wearRow(sensor, wear),
      let stored = try SampleRow.found(of: sample.raw, wear: row, by: statement(SampleRow.find)),
      stored.raw == sample.raw, let row = stored.calibration, try self.calibration(row) == calibration
    else { return nil }
    let decoded = SampleRow(sample, isSalvaged: stored.isSalvaged)
    func isOther(_ number: Double?, _ expected: Double?, by tolerance: Double) -> Bool {
      number.map { number in expected.map { abs($0 - number) > tolerance } ?? true } ?? false
    }
    if stored.quality != decoded.quality {
      return "the quality \(stored.quality.rawValue) instead of \(decoded.quality.rawValue)"
    }
    if isOther(stored.milligramsPerDecilitre, decoded.milligramsPerDecilitre, by: 0.0001) {
      return "another value than its counts give"
    }
    return isOther(stored.temperatureCelsius, decoded.temperatureCelsius, by: 0.01)
      ? "another temperature than its counts give" : nil
  }

  /// Returns the stored footer of a sensor; nil if no scan of it had a valid one.
  package func footer(uid: SensorUID?, fingerprint: SensorFingerprint?) throws(StoreError) -> [UInt8]? {
    if let uid {
      let footer = try first("SELECT footer FROM sensor WHERE uid = ?", .text(uid.description))?.first?.blob
      if let footer { return footer }
    }
    // Several sensors with one fingerprint have footers that differ in the calibration: then the footer is unknown. A
    // sensor with another UID is another sensor.
    guard let fingerprint else { return nil }
    let footers = try statement(
      "SELECT DISTINCT footer FROM sensor WHERE fingerprint = ?1 AND footer IS NOT NULL AND (?2 OR uid IS NULL) LIMIT 2"
    ).all(.text(fingerprint.description), .integer(uid == nil ? 1 : 0)) { $0.blobOrNil(0) }
    return footers.count == 1 ? footers[0] : nil
  }

  /// Returns the space of deleted rows to the disk.
  /// - Throws: `corrupt` for a damaged file, which stays unchanged: rebuilding it would lose recoverable data.
  package func shrink() throws(StoreError) {
    if let fault = try database.faults().first { throw .corrupt(path: path, words: fault) }
    try database.execute("VACUUM")
    _ = try database.row("PRAGMA wal_checkpoint(TRUNCATE)")
    try database.execute("PRAGMA optimize")
  }

  /// Removes samples and scans before a moment, but not those without a time, and returns the number of samples. Sinks
  /// are not notified: the samples are outdated, not incorrect.
  package func removeAll(before: Instant) throws(StoreError) -> Int {
    try transaction { () throws(StoreError) in
      let time = SQLiteValue.integer(before.secondsSince1970)
      var removed = 0
      for sql in [
        """
        DELETE FROM sample WHERE (wear, ring, minute) IN (SELECT sample.wear, ring, minute FROM wear CROSS JOIN sample
          ON sample.wear = wear.id AND ring IN (0, 1) AND minute <= (?1 - 1 - wear.activated_at) / 60
          WHERE wear.activated_at < ?1)
        """,
        "DELETE FROM entry WHERE time < ?",
      ] {
        try run(sql, time)
        removed += database.changes
      }
      try run("DELETE FROM scan WHERE read_at < ?", time)
      // Receivers keep their records of these samples.
      try run("DELETE FROM sent WHERE time < ?", time)
      // A remaining scan may be later than the limit, and some of its samples earlier.
      try run(
        "UPDATE wear SET removed_until = max(removed_until, min(65535, (?1 - 1 - activated_at) / 60)) WHERE activated_at < ?1",
        time)
      try run("UPDATE store SET removed_before = max(coalesce(removed_before, ?1), ?1)", time)
      return removed
    }
  }
}

package struct StoredScan: Sendable {
  package let id: SampleID?
  package let sensor: StoredSensor.ID
  /// Number of the wear; nil for a sensor that was not started.
  package let wear: Int?
  /// Memory, with the UID that the scan itself had, and the sensor's patch info.
  package let memory: MemoryImage
  package let readAtSource: ReadTimeSource
  package let isSalvaged: Bool
  package let source: ReadingSource
  package let footer: [UInt8]?

  static let query = """
    SELECT scan.id, scan.sensor, scan.uid, scan.read_at, scan.read_at_source, scan.memory, scan.missing_blocks,
      scan.lacks_footer, scan.is_salvaged, scan.tool, scan.path, scan.format, scan.dump, scan.sha256, sensor.footer,
      wear.number, sensor.patch_info
    FROM scan LEFT JOIN sensor ON sensor.id = scan.sensor LEFT JOIN wear ON wear.id = scan.wear
    """

  init(_ row: [SQLiteValue]) {
    id = row[0].blob.flatMap(SampleID.init)
    sensor = StoredSensor.ID(row: Int(row[1].integer ?? 0))
    var image = MemoryImage(bytes: row[5].blob ?? [])
    image.uid = row[2].text.flatMap { try? SensorUID(printed: $0) }
    image.readAt = row[3].instant
    image.missingBlocks = (row[6].text ?? "").split(separator: " ").compactMap { Int($0) }
    image.patchInfo = row[16].text.flatMap(HexText.bytes).flatMap(PatchInfo.init)
    memory = image
    readAtSource = row[4].text.flatMap(ReadTimeSource.init) ?? .unknown
    isSalvaged = row[8] == .integer(1)
    source = ReadingSource(
      tool: row[9].text ?? "", path: row[10].text, format: row[11].text, dump: row[12].integer.map(Int.init),
      sha256: row[13].text ?? "")
    footer = row[14].blob
    wear = row[15].integer.map(Int.init)
  }
}

extension SensorStore {
  /// Copies the current state of the store into an empty file. Removed data is not in the copy.
  /// - Throws: `diskFull` for the disk of the copy, because nothing else is written.
  package func copy(to path: String) throws(StoreError) { _ = try database.row("VACUUM INTO ?", .text(path)) }

  /// True if this store is a copy that `copy` made of `other`, so that everything in it has been in `other`. A copy has
  /// no write-ahead log until it is written to, and then it is a store of its own.
  package func isOlderCopy(of other: SensorStore) throws(StoreError) -> Bool {
    guard try database.row("PRAGMA journal_mode")?.first?.text == "delete" else { return false }
    let (mine, theirs) = (try anchor(), try other.anchor())
    return mine.store == theirs.store && mine.change <= theirs.change
  }

  package struct Counts: Hashable, Sendable {
    package let sensors: Int
    package let scans: Int
    package let samples: Int
    package let imported: Int
    package let fingerSticks: Int
    package let bloodPressures: Int
    package let bytes: Int
  }

  package func counts() throws(StoreError) -> Counts {
    let row = try database.row(
      """
      SELECT (SELECT count(*) FROM sensor), (SELECT count(*) FROM scan), (SELECT count(*) FROM sample),
        (SELECT count(*) FROM entry WHERE kind = 2), (SELECT count(*) FROM entry WHERE kind = 3),
        (SELECT count(*) FROM entry WHERE kind = 4),
        (SELECT page_count * page_size FROM pragma_page_count, pragma_page_size)
      """)
    let numbers = (row ?? []).map { Int($0.integer ?? 0) } + Array(repeating: 0, count: 7)
    return Counts(
      sensors: numbers[0], scans: numbers[1], samples: numbers[2], imported: numbers[3], fingerSticks: numbers[4],
      bloodPressures: numbers[5], bytes: numbers[6])
  }
}
