// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import HostSystem

extension SensorStore {
  /// Stores an entry. Storing it again changes nothing. A value equal to a sensor's own sample at that time is already
  /// known: it was exported or sent to another program, and comes back.
  ///
  /// A sensor's sample with a time also brings the start of its wear. Any other entry needs an id, or `sensorUnknown` is
  /// thrown. `isTyped` restores a removed entry. Pass the same `foreign` for all entries of one file.
  package func add(
    _ entry: HistoryEntry, isTyped: Bool = false, from foreign: ForeignWears = ForeignWears()
  ) throws(StoreError) -> EntryOutcome {
    try transaction { () throws(StoreError) in
      var place: WearPlace?
      return try add(entry, isTyped: isTyped, from: foreign, &place)
    }
  }

  /// Stores a part of a file in one transaction, as `add` stores each of its entries; nil for an entry of an unknown
  /// sensor. With `values`, an imported value whose id belongs to another value of the same time gets an id of its own.
  package func add(
    _ entries: [HistoryEntry], from foreign: ForeignWears, among values: SameTimeValues? = nil
  ) throws(StoreError) -> [EntryOutcome?] {
    try joinedTransaction { () throws(StoreError) in
      var place: WearPlace?
      var outcomes: [EntryOutcome?] = []
      for entry in entries {
        do throws(StoreError) {
          outcomes.append(try add(entry, isTyped: false, from: foreign, among: values, &place))
        } catch .sensorUnknown {
          // Nothing was changed for it.
          outcomes.append(nil)
        }
      }
      return outcomes
    }
  }

  private func add(
    _ entry: HistoryEntry, isTyped: Bool, from foreign: ForeignWears, among values: SameTimeValues? = nil,
    _ place: inout WearPlace?
  ) throws(StoreError) -> EntryOutcome {
    switch entry {
    case .sensor(let stored): return try add(stored, from: foreign, &place)
    case .imported(let imported):
      if let sample = try ofSensor(imported) {
        try note(.sample, sample, isNew: false)
        return .known
      }
      if let values { return try add(imported, among: values) }
      return try add(EntryRow.values(of: imported), isTyped: isTyped)
    case .fingerStick(let stick): return try add(EntryRow.values(of: stick), isTyped: isTyped)
    case .bloodPressure(let pressure): return try add(EntryRow.values(of: pressure), isTyped: isTyped)
    }
  }

  /// The wear of the last sample, where the next one of the same wear and start belongs too, without another search.
  private struct WearPlace {
    let key: ForeignWears.Key
    let anchor: ActivationAnchor
    let writer: SampleWriter
    var calibration: CalibrationDescription?
    var model: SampleWriter.Model?
  }

  /// Tolerances for a returning value: other programs write whole mg/dL, tenths of mmol/L, and whole minutes.
  private static let returnedWithin = (milligramsPerDecilitre: 1.0, seconds: 59)

  /// Key of the sensor's sample in this ring with that value at that time, by the factory's or another calibration.
  private func ofSensor(_ imported: ImportedSample) throws(StoreError) -> [SQLiteValue]? {
    guard imported.bound == nil else { return nil }
    return try first(
      """
      SELECT sample.wear, sample.ring, sample.minute FROM wear CROSS JOIN sample ON sample.wear = wear.id AND sample.ring = ?1
          AND sample.minute BETWEEN (?2 - wear.activated_at) / 60 AND (?2 - wear.activated_at + ?4) / 60
        LEFT JOIN revision USING (wear, ring, minute)
        WHERE wear.activated_at BETWEEN ?2 - 65535 * 60 AND ?2 AND sample.quality = 'ok'
          AND (abs(sample.glucose_mg_dl - ?3) <= ?5 OR abs(revision.glucose_mg_dl - ?3) <= ?5) LIMIT 1
      """, .integer(SampleRow.number(imported.ring)), .integer(imported.time.secondsSince1970),
      .real(imported.concentration.milligramsPerDecilitre), .integer(Self.returnedWithin.seconds),
      .real(Self.returnedWithin.milligramsPerDecilitre))
  }

  /// Gives a finger-stick a note in place of the one that it has; false if it has this one already.
  package func set(note: String, ofFingerStick id: SampleID) throws(StoreError) -> Bool {
    try transaction { () throws(StoreError) in
      try statement("UPDATE entry SET note = ?2, change = ?3 WHERE id = ?1 AND kind = 3 AND note IS NOT ?2")
        .run(.blob(id.bytes), .text(note), .integer(try nextChange()))
      return database.changes > 0
    }
  }

  /// Removes an entry that is not a sensor's sample; false if the id is unknown. `removals` reports it.
  package func remove(_ id: SampleID) throws(StoreError) -> Bool {
    try transaction { () throws(StoreError) in
      try removeEntries(where: "id = ?1", .blob(id.bytes), stays: "always") > 0
    }
  }

  private func add(_ row: [SQLiteValue], isTyped: Bool) throws(StoreError) -> EntryOutcome {
    guard row[0].blob != nil else { throw .sensorUnknown }
    return try insert(row, isTyped: isTyped, change: try nextChange())
  }

  /// Inserts a row of `entry`, unless its values are impossible. A removed row is inserted only if the user typed it, or
  /// if it was removed with an import and does not come from a merge.
  func insert(
    _ row: [SQLiteValue], isTyped: Bool, isMerge: Bool = false, change: Int
  ) throws(StoreError) -> EntryOutcome {
    guard EntryRow.isPossible(row) else { return .impossible }
    if let stays = try first("SELECT stays FROM deleted_entry WHERE id = ?", row[0])?.first?.text {
      guard isTyped || stays == "never" || stays == "merged" && !isMerge else { return .leftOut }
      try run("DELETE FROM deleted_entry WHERE id = ?", row[0])
    }
    try run(EntryRow.insert, row + [.integer(change)])
    let isNew = database.changes > 0
    try note(.entry, [row[0]], isNew: isNew)
    if isNew { return .added }
    let stored = try first("SELECT coalesce(glucose_mg_dl, systolic) FROM entry WHERE id = ?", row[0])?.first
    return stored == EntryRow.value(of: row) ? .known : .conflict
  }

  /// Stores a sample exported by another store in the place where a scan would have put it.
  private func add(
    _ stored: StoredSample, from foreign: ForeignWears, _ last: inout WearPlace?
  ) throws(StoreError) -> EntryOutcome {
    let identity = stored.sensor
    guard identity.uid != nil || identity.fingerprint != nil else { throw .sensorUnknown }
    let sample = stored.sample
    // An empty slot has no content.
    if sample.raw.isNeverWritten { return .known }
    guard (1...Int(UInt16.max)).contains(sample.minute.value) else {
      throw .database(path: path, words: "invalid minute \(sample.minute): a sensor counts 1 to 65535")
    }
    if let time = sample.time, !Instant.writable.contains(time) { throw .impossibleActivation(time) }
    var theirs = ActivationAnchor()
    if let time = sample.time {
      theirs.activatedAt = time.adding(minutes: -sample.minute.value)
      theirs.origin = .history
    }
    let key = ForeignWears.Key(sensor: identity, number: stored.wear)
    var place =
      if let last, last.key == key, last.anchor == theirs { last } else {
        try place(of: sample, key, theirs, in: foreign)
      }
    if place.calibration != stored.calibration {
      (place.calibration, place.model) = (stored.calibration, try model(stored.calibration))
    }
    last = place
    return try place.writer.put(SampleRow(sample, isSalvaged: stored.isSalvaged), by: place.model)
  }

  private func place(
    of sample: GlucoseSample, _ key: ForeignWears.Key, _ anchor: ActivationAnchor, in foreign: ForeignWears
  ) throws(StoreError) -> WearPlace {
    let change = try nextChange()
    let sensor = try sensorRow(for: SensorFacts(key.sensor), change: change)
    try takeBack(uid: key.sensor.uid?.description)
    let wear: Int
    // The import that created a known wear may have been removed.
    if let known = foreign[key],
      try exists("SELECT 1 FROM wear WHERE id = ? AND sensor = ?", .integer(known), .integer(sensor))
    {
      wear = known
    } else {
      wear = try self.wear(
        ofSensor: sensor, for: key, in: foreign, holding: [sample], scans: [], activatedAt: anchor.activatedAt,
        change: change)
    }
    _ = try moveAnchor(ofWear: wear, change: change) { $0.join(anchor) }
    return WearPlace(key: key, anchor: anchor, writer: try SampleWriter(self, wear: wear, change: change))
  }
}
