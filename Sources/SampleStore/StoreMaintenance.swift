// SPDX-License-Identifier: Apache-2.0
public import CGMModel
import SQLiteAccess

/// Looking after the file: checking, shrinking, forgetting.
extension SensorStore {
  /// What SQLite finds wrong with the file, and rows that point nowhere; none for a sound one.
  public func faults() throws(StoreError) -> [String] {
    var faults: [String] = []
    let integrity = try database.statement("PRAGMA integrity_check")
    while let row = try integrity.next() {
      if let words = row.first?.text, words != "ok" { faults.append(words) }
    }
    let keys = try database.statement("PRAGMA foreign_key_check")
    while let row = try keys.next() {
      faults.append("a row of \(row[0].text ?? "?") points to a row of \(row[2].text ?? "?") that is not there")
    }
    return faults
  }

  /// Hands over scans with their memories, to be decoded again: all, or those of a sensor that lack the footer which is
  /// known now. `scan` returns false to stop.
  public func forEachScan(
    lackingFooterOf sensor: StoredSensor.ID? = nil, _ scan: (StoredScan) throws(StoreError) -> Bool
  ) throws(StoreError) {
    if let sensor {
      // As long as there is none, it is not asked again for each of them at every scan.
      let isKnown =
        try statement("SELECT 1 FROM sensor WHERE id = ? AND footer IS NOT NULL").first(.integer(sensor.row)) != nil
      guard isKnown else { return }
    }
    let rows = try database.statement(
      """
      SELECT scan.id, scan.sensor, scan.uid, scan.read_at, scan.read_at_source, scan.memory, scan.missing_blocks,
        scan.lacks_footer, scan.is_salvaged, scan.tool, scan.path, scan.format, scan.dump, scan.sha256, sensor.footer,
        wear.number, sensor.patch_info
      FROM scan JOIN sensor ON sensor.id = scan.sensor LEFT JOIN wear ON wear.id = scan.wear
      WHERE \(sensor == nil ? "?1 IS NULL" : "scan.sensor = ?1 AND scan.lacks_footer") ORDER BY scan.number
      """)
    rows.bind([.integer(sensor?.row)])
    while let row = try rows.next() {
      guard try scan(StoredScan(row)) else { return }
    }
  }

  /// True if these counts are there, as a sample or as what conflicts with one; or if there is a good reason why not.
  public func holds(_ raw: RawSample, sensor: StoredSensor.ID, wear: Int) throws(StoreError) -> Bool {
    guard let row = try wearRow(sensor, wear) else { return false }
    for table in ["sample", "conflict"] {
      let find = try statement("SELECT 1 FROM \(table) WHERE \(SampleRow.isSame)")
      find.bind(row, at: 1)
      SampleRow.bind(raw, to: find, first: 2)
      defer { find.reset() }
      if try find.step() { return true }
    }
    if try removedUntil(ofWear: row) >= Int64(raw.minute.value) { return true }
    if hasImports {
      let (ring, minute) = (SampleRow.number(raw.ring), raw.minute.value)
      let stays = try stays(wear: .integer(row), ring: .integer(ring), minute: .integer(minute))
      if stays == "always" { return true }
    }
    // Of an error and a value for the same minute only one is kept; the memory of the other's scan is there.
    let find = try statement(SampleRow.find)
    SampleRow.bindKey(of: raw, wear: row, to: find)
    defer { find.reset() }
    return try find.step() && SampleRow.raw(find, first: 0).hasError != raw.hasError
  }

  /// The footer that is remembered for a sensor; nil if no scan of it had a good one.
  public func footer(uid: SensorUID?, fingerprint: SensorFingerprint?) throws(StoreError) -> [UInt8]? {
    if let uid {
      let row = try statement("SELECT footer FROM sensor WHERE uid = ?").first(.text(uid.description))
      if let footer = row?.first?.blob { return footer }
    }
    // Several sensors of one fingerprint have the same footer but for the calibration: then it is none of theirs.
    // One with another UID is another sensor.
    guard let fingerprint else { return nil }
    let footers = try statement(
      """
      SELECT DISTINCT footer FROM sensor WHERE fingerprint = ?1 AND footer IS NOT NULL AND (?2 OR uid IS NULL) LIMIT 2
      """
    ).all(.text(fingerprint.description), .integer(uid == nil ? 1 : 0)) { $0.blobOrNil(0) }
    return footers.count == 1 ? footers[0] : nil
  }

  /// Gives the space of removed rows back to the disk.
  ///
  /// Throws `corrupt` for a damaged file, and leaves it as it is: making it anew would lose what can still be saved.
  public func shrink() throws(StoreError) {
    if let fault = try faults().first { throw .corrupt(path: path, words: fault) }
    try database.execute("VACUUM")
    _ = try database.row("PRAGMA wal_checkpoint(TRUNCATE)")
    try database.execute("PRAGMA optimize")
  }

  /// Removes samples and scans of before a moment, those without a time among none. Nobody is told of a removal: they are
  /// old, not wrong. Returns how many samples.
  public func removeAll(before: Instant, isRehearsal: Bool = false) throws(StoreError) -> Int {
    try transaction { () throws(StoreError) in
      let old = "wear.id = sample.wear AND wear.activated_at + sample.minute * 60 < ?"
      let time = SQLiteValue.integer(before.secondsSince1970)
      if isRehearsal {
        let counts = try statement(
          """
          SELECT (SELECT count(*) FROM wear CROSS JOIN sample ON \(old)1)
            + (SELECT count(*) FROM imported WHERE time < ?1) + (SELECT count(*) FROM finger_stick WHERE time < ?1)
          """
        ).first(time)
        return Int(counts?.first?.integer ?? 0)
      }
      var removed = 0
      for sql in [
        """
        DELETE FROM sample WHERE (wear, ring, minute) IN (SELECT sample.wear, ring, minute FROM wear CROSS JOIN sample
          ON sample.wear = wear.id AND ring IN (0, 1) AND minute <= (?1 - 1 - wear.activated_at) / 60
          WHERE wear.activated_at < ?1)
        """,
        "DELETE FROM imported WHERE time < ?", "DELETE FROM finger_stick WHERE time < ?",
      ] {
        try statement(sql).run(time)
        removed += database.changes
      }
      try statement("DELETE FROM scan WHERE read_at < ?").run(time)
      // Receivers keep what they hold of it.
      try statement("DELETE FROM sent WHERE time < ?").run(time)
      // A scan that stays may have been made after the limit, and some of its samples before.
      try statement(
        "UPDATE wear SET removed_until = max(removed_until, min(65535, (?1 - 1 - activated_at) / 60)) WHERE activated_at < ?1"
      ).run(time)
      try statement("UPDATE store SET removed_before = max(coalesce(removed_before, ?1), ?1)").run(time)
      return removed
    }
  }
}

/// A scan as it was stored.
public struct StoredScan: Sendable {
  public let id: SampleID?
  public let sensor: StoredSensor.ID
  /// nil for a sensor that was not started.
  public let wear: Int?
  /// With the UID that the scan itself had, and the sensor's patch info.
  public let memory: MemoryImage
  public let readAtSource: ReadTimeSource
  public let isSalvaged: Bool
  public let source: ReadingSource
  /// What is remembered of the sensor; nil if no scan had a good one.
  public let footer: [UInt8]?

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
