// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem

struct WearContent {
  var anchor: ActivationAnchor
  var removedUntil: Int64
  var scans: [[SQLiteValue]] = []
  var samples: [(row: SampleRow, calibration: CalibrationDescription?)] = []
  var revisions: [(raw: RawSample, calibration: CalibrationDescription, milligramsPerDecilitre: Double?)] = []
  var conflicts: [SampleRow] = []
  /// Imports of each sample by ring and minute, and pairs of scan id and import. Valid for the same store only.
  var sampleImports: [[SQLiteValue]: [Int]] = [:]
  var scanImports: [[SQLiteValue]] = []
  var userCalibration: [SQLiteValue]?

  var datedScans: [(readAt: Instant, age: Int)] {
    scans.compactMap { scan in
      guard scan[4] == .integer(1), let readAt = scan[2].instant, let age = scan[7].minutes else { return nil }
      return (readAt, age)
    }
  }

  static let scanColumns = """
    id, uid, read_at, read_at_source, is_dating, time_zone, state, age_minutes, memory, missing_blocks, lacks_footer, \
    is_salvaged, tool, path, format, dump, sha256, reader_address, reader_name, reader_dialect, reader_battery
    """
}

extension SensorStore {
  func content(ofWear wear: Int) throws(StoreError) -> WearContent {
    var content = WearContent(anchor: try anchor(ofWear: wear), removedUntil: try removedUntil(ofWear: wear))
    content.scans = try statement("SELECT \(WearContent.scanColumns) FROM scan WHERE wear = ? ORDER BY number")
      .all(.integer(wear)) { $0.values }
    content.samples = try statement("SELECT \(SampleRow.columns) FROM sample WHERE wear = ?")
      .all(.integer(wear)) { (sample) throws(StoreError) in
        let row = SampleRow(sample)
        return (row, try row.calibration.flatMap(calibration))
      }
    content.revisions = try statement(
      """
      SELECT \(SampleRow.rawColumns), revision.calibration, revision.glucose_mg_dl FROM revision JOIN sample USING (wear, ring, minute) WHERE wear = ?
      """
    ).all(.integer(wear)) { (row) throws(StoreError) in
      guard let calibration = try calibration(row.integer(7)) else { return nil }
      return (SampleRow.raw(row, first: 0), calibration, row.realOrNil(8)?.ifPossible(PossibleValues.modelled))
    }
    content.conflicts = try statement("SELECT \(SampleRow.rawColumns), is_salvaged FROM conflict WHERE wear = ?")
      .all(.integer(wear)) { SampleRow(conflict: SampleRow.raw($0, first: 0), isSalvaged: $0.integer(7) != 0) }
    content.scanImports = try statement(
      "SELECT scan.id, import FROM scan_import JOIN scan ON scan.number = scan_import.scan WHERE scan.wear = ?"
    ).all(.integer(wear)) { $0.values }
    let rows = try statement("SELECT ring, minute, import FROM sample_import WHERE wear = ?")
    rows.bind(wear, at: 1)
    while try rows.step() {
      content.sampleImports[[rows.value(0), rows.value(1)], default: []].append(rows.integer(2))
    }
    content.userCalibration = try userCalibration(ofWear: wear)?.row
    return content
  }

  /// Writes the content to its sensor's wear, which is created if it is missing. `key` identifies it at its origin.
  func take(
    _ content: WearContent, sensor: Int, key: ForeignWears.Key, from foreign: ForeignWears, isMerge: Bool = false,
    change: Int, into receipt: inout MergeReceipt
  ) throws(StoreError) {
    let wear = try wear(
      ofSensor: sensor, for: key, in: foreign, holding: content.samples.map(\.row.sample), scans: content.datedScans,
      activatedAt: content.anchor.firmStart, change: change)
    try take(content, sensor: sensor, wear: wear, isMerge: isMerge, change: change, into: &receipt)
  }

  /// Writes the content to a wear. Samples removed for their age stay removed.
  func take(
    _ content: WearContent, sensor: Int, wear: Int, isMerge: Bool = false, change: Int,
    into receipt: inout MergeReceipt
  ) throws(StoreError) {
    let before = try self.anchor(ofWear: wear)
    let anchor = try moveAnchor(ofWear: wear, change: change) { $0.join(content.anchor) }
    let limit = try removedBefore()
    let removeUntil = "UPDATE wear SET removed_until = max(removed_until, ?) WHERE id = ?"
    // Also in a wear that is new to this store.
    if let limit, let activatedAt = anchor.activatedAt, activatedAt < limit {
      let minute = (limit.secondsSince1970 - 1 - activatedAt.secondsSince1970) / 60
      try run(removeUntil, .integer(min(65_535, minute)), .integer(wear))
    }
    let removed = try removedUntil(ofWear: wear)
    try run(removeUntil, .integer(content.removedUntil), .integer(wear))
    for scan in content.scans {
      // Its memory would be restored without its samples.
      if let limit, let readAt = scan[2].instant, readAt < limit { continue }
      try insert(scan: scan, sensor: sensor, wear: wear, into: &receipt)
    }
    try date(wear: wear, change: change)
    if let after = try self.anchor(ofWear: wear).firmStart {
      func seconds(to other: Instant?) -> Int {
        other.map { Int(abs($0.secondsSince1970 - after.secondsSince1970)) } ?? 0
      }
      receipt.maximumDisagreementSeconds = max(
        receipt.maximumDisagreementSeconds, seconds(to: content.anchor.firmStart))
      receipt.maximumMoveSeconds = max(receipt.maximumMoveSeconds, seconds(to: before.firmStart))
    }
    if origin == .unchanged { try noteMoved(scans: content.scanImports) }
    let writer = try SampleWriter(self, wear: wear, isMerge: isMerge, change: change)
    for sample in content.samples where sample.row.raw.minute.value > removed {
      let outcome = try writer.put(sample.row, by: try model(sample.calibration))
      if origin == .unchanged, outcome != .leftOut {
        let key = SampleRow.key(of: sample.row.raw, wear: wear)
        let imports = content.sampleImports[Array(key.dropFirst())] ?? []
        try noteMoved(sample: key, imports: imports, isNew: outcome == .added)
      }
      switch outcome {
      case .added: receipt.samples += 1
      case .filled: receipt.filled += 1
      case .known, .leftOut, .impossible: break
      case .conflict: receipt.conflicts += 1
      }
    }
    for row in content.conflicts { try writer.contradict(row) }
    for revision in content.revisions {
      try writer.revise(
        revision.raw, calibration: try calibrationRow(revision.calibration),
        milligramsPerDecilitre: revision.milligramsPerDecilitre)
    }
    if let user = content.userCalibration {
      try run(
        """
        INSERT INTO user_calibration (wear, slope, intercept, points, made_at) VALUES (?1, ?2, ?3, ?4, ?5)
        ON CONFLICT DO UPDATE SET (slope, intercept, points, made_at) = (?2, ?3, ?4, ?5)
          WHERE (excluded.made_at, excluded.slope, excluded.intercept) > (made_at, slope, intercept)
        """, [.integer(wear)] + user)
    }
  }

  /// Returns the moment before which samples and scans were removed for their age; nil if they never were.
  func removedBefore() throws(StoreError) -> Instant? {
    try first("SELECT removed_before FROM store")?.first?.instant
  }

  func removedUntil(ofWear wear: Int) throws(StoreError) -> Int64 {
    try first("SELECT removed_until FROM wear WHERE id = ?", .integer(wear))?.first?.integer ?? 0
  }

  func insert(scan: [SQLiteValue], sensor: Int, wear: Int?, into receipt: inout MergeReceipt) throws(StoreError) {
    if try exists("SELECT 1 FROM deleted_scan WHERE id = ?", scan[0]) { return }
    let isNew = try insert(scan: scan, sensor: sensor, wear: wear)
    if isNew { receipt.scans += 1 }
    if let number = try first("SELECT number FROM scan WHERE id = ?", scan[0]) {
      try note(.scan, number, isNew: isNew)
    }
  }

  /// Inserts a row of `scan`, with the columns of `WearContent`; false if it is stored already.
  func insert(scan: [SQLiteValue], sensor: Int, wear: Int?) throws(StoreError) -> Bool {
    let marks = Array(repeating: "?", count: scan.count + 2).joined(separator: ", ")
    try run(
      "INSERT INTO scan (sensor, wear, \(WearContent.scanColumns)) VALUES (\(marks)) ON CONFLICT DO NOTHING",
      [.integer(sensor), .integer(wear)] + scan)
    return database.changes > 0
  }

  /// Merges a sensor without a UID into the sensor that it turned out to be.
  func join(_ nameless: Int, into known: Int, change: Int) throws(StoreError) {
    guard let identity = try facts(ofSensor: nameless)?.identity else { return }
    var contents: [(key: ForeignWears.Key, content: WearContent)] = []
    for candidate in try wears(ofSensor: nameless) {
      let key = ForeignWears.Key(sensor: identity, number: candidate.number)
      contents.append((key, try content(ofWear: candidate.wear)))
      try remove(wear: candidate.wear)
    }
    try run("UPDATE scan SET sensor = ? WHERE sensor = ?", .integer(known), .integer(nameless))
    if let facts = try facts(ofSensor: nameless) { try complete(known, with: facts) }
    try run("DELETE FROM sensor WHERE id = ?", .integer(nameless))
    var receipt = MergeReceipt()
    let foreign = ForeignWears()
    try moving { () throws(StoreError) in
      for wear in contents {
        try take(wear.content, sensor: known, key: wear.key, from: foreign, change: change, into: &receipt)
      }
    }
  }

  func remove(wear: Int) throws(StoreError) {
    for table in ["user_calibration", "sample", "scan"] {
      try run("DELETE FROM \(table) WHERE wear = ?", .integer(wear))
    }
    try run("DELETE FROM wear WHERE id = ?", .integer(wear))
  }
}

extension SampleRow {
  fileprivate init(conflict raw: RawSample, isSalvaged: Bool) {
    self.init(
      GlucoseSample(raw: raw, temperatureCelsius: nil, concentration: nil, quality: .ok), isSalvaged: isSalvaged)
  }
}
