// SPDX-License-Identifier: Apache-2.0
public import CGMModel
import SQLiteAccess

extension SensorStore {
  /// Stores a value from a finished history, or a finger-stick. Doing it again changes nothing.
  ///
  /// A sensor's own sample brings the start of its wear along, if it has a time. An entry without an id cannot be stored
  /// but a sensor's, which is known by its sensor: `sensorUnknown`. `isTyped` takes a removed one back: the user means it.
  public func add(_ entry: HistoryEntry, isTyped: Bool = false) throws(StoreError) -> EntryOutcome {
    try transaction { () throws(StoreError) in
      switch entry {
      case .sensor(let stored): return try add(stored)
      case .imported(let imported):
        return try insert(
          imported.id, isTyped,
          "INSERT INTO imported (change, id, source, device, ring, time, glucose_mg_dl, bound) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
          [
            .text(imported.source), .text(orNull: imported.device), .integer(SampleRow.number(imported.ring)),
            .integer(imported.time.secondsSince1970), .real(imported.concentration.milligramsPerDecilitre),
            .text(orNull: imported.bound?.rawValue),
          ])
      case .fingerStick(let stick):
        return try insert(
          stick.id, isTyped,
          "INSERT INTO finger_stick (change, id, time, glucose_mg_dl, note, source) VALUES (?, ?, ?, ?, ?, ?)",
          [
            .integer(stick.time.secondsSince1970), .real(stick.concentration.milligramsPerDecilitre),
            .text(orNull: stick.note), .text(orNull: stick.source),
          ])
      }
    }
  }

  /// Removes an imported value or a finger-stick; false if there is none of this id. Others learn of it by `removals`.
  public func remove(_ id: SampleID) throws(StoreError) -> Bool {
    try transaction { () throws(StoreError) in
      try perform { () throws(SQLiteFailure) in
        var removed = 0
        for table in ["imported", "finger_stick"] {
          try statement("DELETE FROM \(table) WHERE id = ?").run(.blob(id.bytes))
          removed += database.changes
        }
        guard removed > 0 else { return false }
        try bury([id], change: try nextChange())
        return true
      }
    }
  }

  /// Notes that these were removed; with a UID until that sensor comes back.
  func bury(_ ids: [SampleID], of uid: String? = nil, change: Int) throws(SQLiteFailure) {
    let bury = try statement("INSERT OR REPLACE INTO deleted (id, uid, change) VALUES (?, ?, ?)")
    for id in ids { try bury.run(.blob(id.bytes), .text(orNull: uid), .integer(change)) }
  }

  private func insert(
    _ id: SampleID?, _ isTyped: Bool, _ sql: String, _ values: [SQLiteValue]
  ) throws(StoreError) -> EntryOutcome {
    guard let id else { throw .sensorUnknown }
    return try perform { () throws(SQLiteFailure) in
      let wasRemoved = try statement("SELECT 1 FROM deleted WHERE id = ?").first(.blob(id.bytes)) != nil
      if wasRemoved, !isTyped { return .leftOut }
      let change = try nextChange()
      if wasRemoved { try statement("DELETE FROM deleted WHERE id = ?").run(.blob(id.bytes)) }
      let insert = try statement(sql + " ON CONFLICT DO NOTHING")
      insert.bind([.integer(change), .blob(id.bytes)] + values)
      while try insert.step() {}
      return database.changes > 0 ? .added : .known
    }
  }

  /// A sample that another store exported: it goes where a scan would have put it.
  private func add(_ stored: StoredSample) throws(StoreError) -> EntryOutcome {
    let identity = stored.sensor
    guard identity.uid != nil || identity.fingerprint != nil else { throw .sensorUnknown }
    let sample = stored.sample
    // An empty slot holds nothing to remember.
    if sample.raw.isNeverWritten { return .known }
    guard (1...Int(UInt16.max)).contains(sample.minute.value) else {
      throw .database(path: path, words: "no sensor has a minute \(sample.minute)")
    }
    if let time = sample.time, !Instant.writable.contains(time) { throw .impossibleActivation(time) }
    return try perform { () throws(SQLiteFailure) in
      let change = try nextChange()
      let sensor = try sensorRow(for: SensorFacts(identity), change: change)
      var theirs = ActivationAnchor()
      if let time = sample.time {
        theirs.activatedAt = time.adding(minutes: -sample.minute.value)
        theirs.origin = .history
        theirs.isHandedOut = true
      }
      let wear = try wear(ofSensor: sensor, holding: [sample], activatedAt: theirs.activatedAt)
      _ = try moveAnchor(ofWear: wear, change: change) { $0.join(theirs) }
      let row = SampleRow(
        sample, calibration: try stored.calibration.map(calibrationRow), isSalvaged: stored.isSalvaged)
      return switch try SampleWriter(self, change: change).put(row, wear: wear) {
      case .added: .added
      case .filled: .filled
      case .known: .known
      case .conflict: .conflict
      }
    }
  }
}
