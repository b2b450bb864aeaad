// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem

extension SensorStore {
  /// Stores a reading and its memory. Storing it again changes nothing.
  /// - Throws: `sensorUnknown` for a reading with neither UID nor fingerprint, `minutesEstimated` if the minutes of its
  /// history were estimated from the age; errors of disk and file. In every case nothing is stored.
  package func add(_ scan: IncomingScan) throws(StoreError) -> ScanReceipt {
    let reading = scan.reading
    guard reading.sensor.uid != nil || reading.sensor.fingerprint != nil else { throw .sensorUnknown }
    if reading.problems.contains(.indicesMissing) { throw .minutesEstimated }
    return try transaction { () throws(StoreError) in
      var scan = scan
      scan.isClockBehind = try isBehind(scan)
      if scan.isDecodedAgain { return try moving { () throws(StoreError) in try intake(scan) } }
      return try intake(scan)
    }
  }

  private func intake(_ scan: IncomingScan) throws(StoreError) -> ScanReceipt {
    let reading = scan.reading
    let id = SQLiteValue.blob(reading.id.bytes)
    let stored = try first("SELECT sensor, wear, lacks_footer, number FROM scan WHERE id = ?", id).map {
      (
        sensor: Int($0[0].integer ?? 0), wear: $0[1].integer.map(Int.init), lacksFooter: $0[2] != .integer(0),
        key: [$0[3]]
      )
    }
    // A scan is known if its samples are: a damaged page may have taken them.
    if let stored, !stored.lacksFooter || scan.lacksFooter, scan.others.isEmpty,
      try holds(reading.samples, wear: stored.wear)
    {
      try note(.scan, stored.key, isNew: false)
      var receipt = try receipt(of: scan, sensor: stored.sensor, wear: stored.wear)
      if let wear = stored.wear {
        for sample in reading.samples where !sample.raw.isNeverWritten {
          let key = SampleRow.key(of: sample.raw, wear: wear)
          if try stays(key) == "always" { receipt.leftOut += 1 }
          try note(.sample, key, isNew: false)
        }
      }
      receipt.known -= receipt.leftOut
      return receipt
    }
    let change = try nextChange()
    let facts = SensorFacts(reading.sensor, footer: scan.footer)
    let sensor = try sensorRow(for: facts, change: change)
    try takeBack(uid: facts.uid)
    let wear: Int?
    var isNewWear = false
    var before: Instant?
    if let stored {
      wear = stored.wear
      try run(
        "UPDATE scan SET lacks_footer = min(lacks_footer, ?) WHERE id = ?", .integer(scan.lacksFooter ? 1 : 0), id)
      try note(.scan, stored.key, isNew: false)
    } else {
      (wear, isNewWear) =
        reading.sensor.state == .notActivated ? (nil, false) : try place(scan, sensor: sensor, change: change)
      try run("DELETE FROM deleted_scan WHERE id = ?", id)
      _ = try insert(scan: scan.row, sensor: sensor, wear: wear)
      try note(.scan, [.integer(database.lastInsertedRow)], isNew: true)
      if let wear, let readAt = reading.readAt {
        switch scan.dating {
        case .firm:
          let known = try anchor(ofWear: wear)
          before = known.firmStart
          let read = StartAgreement.Scan(readAt: readAt, ageMinutes: reading.sensor.ageMinutes)
          if try !isSettled(known, ofWear: wear, by: read) { try date(wear: wear, change: change) }
        case .provisional(let doubt):
          _ = try moveAnchor(ofWear: wear, change: change) {
            $0.join(ActivationAnchor(scanAt: readAt, ageMinutes: reading.sensor.ageMinutes, doubt: doubt))
          }
        case .none: break
        }
      }
    }
    var receipt = try receipt(of: scan, sensor: sensor, wear: wear)
    (receipt.isNewScan, receipt.isNewWear) = (stored == nil, isNewWear)
    receipt.startMovedSeconds = before.flatMap { before in
      receipt.activatedAt.map { Int($0.secondsSince1970 - before.secondsSince1970) }
    }
    if let wear { try put(scan, wear: wear, change: change, into: &receipt) }
    return receipt
  }

  private func put(_ scan: IncomingScan, wear: Int, change: Int, into receipt: inout ScanReceipt) throws(StoreError) {
    let writer = try SampleWriter(self, wear: wear, change: change)
    let factory = try model(scan.reading.calibration)
    receipt.known = 0
    for samples in [scan.reading.history, scan.reading.trend] {
      for sample in samples where !sample.raw.isNeverWritten {
        switch try writer.put(SampleRow(sample, isSalvaged: scan.reading.isSalvaged), by: factory) {
        case .added: receipt.added += 1
        case .filled: receipt.filled += 1
        case .known: receipt.known += 1
        case .conflict: receipt.conflicts += 1
        case .leftOut, .impossible: receipt.leftOut += 1
        }
      }
    }
    for other in scan.others {
      guard let model = try model(other.calibration) else { continue }
      for sample in other.samples where !sample.raw.isNeverWritten {
        try writer.revise(
          sample.raw, calibration: model.row, milligramsPerDecilitre: sample.concentration?.milligramsPerDecilitre)
      }
    }
  }

  private func receipt(of scan: IncomingScan, sensor: Int, wear: Int?) throws(StoreError) -> ScanReceipt {
    let facts = try facts(ofSensor: sensor) ?? SensorFacts(scan.reading.sensor, footer: nil)
    var receipt = ScanReceipt(sensor: facts.identity, sensorID: StoredSensor.ID(row: sensor))
    receipt.isNewScan = false
    receipt.known = scan.reading.samples.count { !$0.raw.isNeverWritten }
    if case .provisional(let doubt) = scan.dating { receipt.scanDoubt = doubt }
    guard let wear else { return receipt }
    var anchor = try anchor(ofWear: wear)
    receipt.wear = try integer("SELECT number FROM wear WHERE id = ?", .integer(wear)) ?? 1
    if scan.isDating, let readAt = scan.reading.readAt {
      // For a scan that is examined but not stored.
      if anchor.isProvisional, anchor.doubt != .disputed {
        anchor = ActivationAnchor(scanAt: readAt, ageMinutes: scan.reading.sensor.ageMinutes)
      }
      receipt.disagreementSeconds = anchor.disagreement(scanAt: readAt, ageMinutes: scan.reading.sensor.ageMinutes)
    }
    (receipt.activatedAt, receipt.doubt) = (anchor.activatedAt, anchor.doubt)
    return receipt
  }

  /// True if this computer's clock shows a time before the last scan of another sensor whose start two scans confirm.
  /// Its age finds the scan in the index, which a sensor that is read every minute makes long.
  private func isBehind(_ scan: IncomingScan) throws(StoreError) -> Bool {
    guard scan.reading.readAtSource == .clock, let readAt = scan.reading.readAt else { return false }
    let tolerance = Int64(ActivationAnchor.reportedDisagreementSeconds)
    return try exists(
      """
      SELECT 1 FROM wear JOIN sensor ON sensor.id = wear.sensor CROSS JOIN scan ON scan.wear = wear.id
        AND scan.age_minutes > (?2 - ?3 - wear.activated_at) / 60 - 2
      WHERE sensor.uid IS NOT ?1 AND wear.doubt IS NULL AND scan.is_dating AND scan.read_at > ?2
        AND abs(scan.read_at - 60 * scan.age_minutes - wear.activated_at) <= ?3
        AND EXISTS (SELECT 1 FROM scan AS other WHERE other.wear = wear.id AND other.is_dating
          AND other.age_minutes <> scan.age_minutes
          AND abs(other.read_at - 60 * other.age_minutes - wear.activated_at) <= ?3)
      LIMIT 1
      """, .text(orNull: scan.reading.sensor.uid?.description), .integer(readAt.secondsSince1970 + tolerance),
      .integer(tolerance))
  }

  private func holds(_ samples: [GlucoseSample], wear: Int?) throws(StoreError) -> Bool {
    guard let wear else { return true }
    for sample in samples where !sample.raw.isNeverWritten {
      if try !holds(sample.raw, wear: wear) { return false }
    }
    return true
  }

  // MARK: Which wear

  package func known(_ scan: IncomingScan) throws(StoreError) -> ScanReceipt? {
    var scan = scan
    scan.isClockBehind = try isBehind(scan)
    if scan.reading.sensor.state == .notActivated { return nil }
    guard let sensor = try knownSensorRow(for: SensorFacts(scan.reading.sensor, footer: nil)) else { return nil }
    let candidates = try self.candidates(for: scan, sensor: sensor)
    guard let wear = WearChoice.wear(among: candidates, activatedAt: scan.start) else { return nil }
    return try receipt(of: scan, sensor: sensor, wear: wear)
  }

  private func place(_ scan: IncomingScan, sensor: Int, change: Int) throws(StoreError) -> (wear: Int, isNew: Bool) {
    let candidates = try self.candidates(for: scan, sensor: sensor)
    let same = WearChoice.same(among: candidates, activatedAt: scan.start)
    try unite(same, sensor: sensor, change: change, from: nil)
    if let wear = WearChoice.wear(among: candidates, activatedAt: scan.start) { return (wear, false) }
    return (try newWear(ofSensor: sensor), !candidates.isEmpty)
  }

  private func unite(
    _ same: [WearChoice.Candidate], sensor: Int, change: Int, from foreign: ForeignWears?
  ) throws(StoreError) {
    guard let first = same.first else { return }
    for other in same.dropFirst() {
      let content = try content(ofWear: other.wear)
      let removals = try liftRemovals(ofWear: other.wear)
      try noteRemoval(ofSamples: "sample.wear = ?1", [.integer(other.wear)], change: change)
      try remove(wear: other.wear)
      var receipt = MergeReceipt()
      try moving { () throws(StoreError) in
        try take(content, sensor: sensor, wear: first.wear, change: change, into: &receipt)
      }
      try putRemovals(removals, intoWear: first.wear, change: change)
      foreign?.united(other.wear, into: first.wear)
    }
  }

  private func candidates(for scan: IncomingScan, sensor: Int) throws(StoreError) -> [WearChoice.Candidate] {
    let wears = try wears(ofSensor: sensor)
    // The most common case: a sensor that was started once, and clocks that agree.
    if wears.count == 1, WearChoice.hasStart(wears[0], scan.start) { return wears }
    let reading = scan.reading
    let dated = scan.isDating ? reading.readAt.map { [($0, reading.sensor.ageMinutes)] } : nil
    return try compared(wears, with: reading.samples, dated ?? [])
  }

  /// Compares wears with samples, and with the read times of dated scans and the sensor's age at them.
  private func compared(
    _ wears: [WearChoice.Candidate], with samples: [GlucoseSample], _ scans: [(readAt: Instant, age: Int)]
  ) throws(StoreError) -> [WearChoice.Candidate] {
    var wears = wears
    for index in wears.indices {
      try compare(&wears[index], with: samples)
      wears[index].isAgeContradicted = try contradictsAges(wear: wears[index].wear, scans)
    }
    return wears
  }

  func wears(ofSensor sensor: Int) throws(StoreError) -> [WearChoice.Candidate] {
    // A provisional start does not decide the wear of a scan.
    try statement(
      "SELECT id, number, iif(doubt IS NULL, activated_at, NULL) FROM wear WHERE sensor = ? ORDER BY number"
    ).all(.integer(sensor)) { row in
      WearChoice.Candidate(wear: row.integer(0), number: row.integer(1), activatedAt: row.instantOrNil(2))
    }
  }

  /// Returns this store's wear for a wear of another store, and creates it if it is missing. `scans`: its dated scans.
  func wear(
    ofSensor sensor: Int, for key: ForeignWears.Key, in foreign: ForeignWears, holding samples: [GlucoseSample],
    scans: [(readAt: Instant, age: Int)], activatedAt: Instant?, change: Int
  ) throws(StoreError) -> Int {
    var candidates = try compared(wears(ofSensor: sensor), with: samples, scans)
    let same = WearChoice.same(among: candidates, activatedAt: activatedAt)
    try unite(same, sensor: sensor, change: change, from: foreign)
    let taken = foreign.taken(by: key).subtracting(same.map(\.wear))
    candidates.removeAll { taken.contains($0.wear) }
    let known = WearChoice.wear(among: candidates, activatedAt: activatedAt)
    let wear = if let known { known } else { try newWear(ofSensor: sensor) }
    foreign[key] = wear
    return wear
  }

  private func newWear(ofSensor sensor: Int) throws(StoreError) -> Int {
    try run(
      "INSERT INTO wear (sensor, number) SELECT ?1, coalesce(max(number), 0) + 1 FROM wear WHERE sensor = ?1",
      .integer(sensor))
    return Int(database.lastInsertedRow)
  }

  /// Counts the common minutes with equal counts, and with different ones.
  private func compare(_ candidate: inout WearChoice.Candidate, with samples: [GlucoseSample]) throws(StoreError) {
    let find = try statement(SampleRow.find)
    for sample in samples where !sample.raw.hasError && !sample.raw.isNeverWritten {
      guard let stored = try SampleRow.found(of: sample.raw, wear: candidate.wear, by: find)?.raw, !stored.hasError
      else { continue }
      if stored == sample.raw { candidate.equal += 1 } else { candidate.different += 1 }
    }
  }

  /// True if a scan of the wear was read earlier than one of these at a larger age, or later at a smaller one.
  private func contradictsAges(wear: Int, _ scans: [(readAt: Instant, age: Int)]) throws(StoreError) -> Bool {
    // A difference of one minute is the resolution of the two clocks.
    let find = try statement(
      """
      SELECT 1 FROM scan WHERE wear = ?1 AND is_dating
        AND (age_minutes > ?3 + 2 AND read_at < ?2 OR age_minutes < ?3 - 2 AND read_at > ?2) LIMIT 1
      """)
    for scan in scans
    where try find.first(.integer(wear), .integer(scan.readAt.secondsSince1970), .integer(scan.age)) != nil {
      return true
    }
    return false
  }
}

extension IncomingScan {
  fileprivate var row: [SQLiteValue] {
    [
      .blob(reading.id.bytes), .text(orNull: reading.sensor.uid?.description), .instant(reading.readAt),
      .text(reading.readAtSource.rawValue), .integer(isDating ? 1 : 0), .text(orNull: timeZone),
      .text(reading.sensor.state.name), .integer(reading.sensor.ageMinutes), .blob(reading.memory.bytes),
      .text(reading.memory.missingBlocks.map(String.init).joined(separator: " ")), .integer(lacksFooter ? 1 : 0),
      .integer(reading.isSalvaged ? 1 : 0), .text(reading.source.tool), .text(orNull: reading.source.path),
      .text(orNull: reading.source.format), .integer(reading.source.dump), .text(reading.source.sha256),
      .text(orNull: reading.reader?.address), .text(orNull: reading.reader?.name),
      .text(orNull: reading.reader?.dialect), .integer(reading.reader?.batteryPercent),
    ]
  }
}
