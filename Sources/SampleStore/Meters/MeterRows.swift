// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import SQLiteAccess

/// Meters and their records.
extension SensorStore {
  /// Stores records of a meter in one transaction: all of them, or none if it fails. Returns for each whether it is
  /// new: it was not in the store before, or was left aside then and has a usable value now. Neither is true if its entry
  /// was in the store, or if the user removed it.
  ///
  /// A record is known by its meter and its key, whatever the meter's clock shows (`Schema` has the rule).
  package func keep(
    _ rows: [MeterRow], from facts: MeterFacts, at now: Instant
  ) throws(StoreError) -> [Bool] {
    try transaction { () throws(StoreError) in
      let meter = try meterRow(for: facts)
      try statement("UPDATE meter SET last_read_at = ?2, is_forgotten = 0 WHERE id = ?1")
        .run(.integer(meter), .instant(now))
      var areNew: [Bool] = []
      for row in rows { areNew.append(try keep(row, ofMeter: meter)) }
      return areNew
    }
  }

  /// Sets the record from which the next reading of a known meter continues. `keep` only raises it, so set it after a
  /// complete reading in which the numbers were set back.
  package func setProbe(_ probe: StoredMeter.Probe?, of facts: MeterFacts) throws(StoreError) {
    try transaction { () throws(StoreError) in
      guard let meter = try knownMeterRow(for: facts) else { return }
      try statement("UPDATE meter SET highest_sequence = ?2, probe_packet = ?3 WHERE id = ?1")
        .run(.integer(meter), .integer(probe?.sequence), .blob(orNull: probe?.packet))
    }
  }

  private func keep(_ row: MeterRow, ofMeter meter: Int) throws(StoreError) -> Bool {
    if let sequence = row.key.sequence {
      try statement(
        """
        UPDATE meter SET highest_sequence = ?2, probe_packet = ?3
          WHERE id = ?1 AND (highest_sequence IS NULL OR highest_sequence <= ?2)
        """
      ).run(.integer(meter), .integer(sequence), .blob(orNull: row.packets.first))
    }
    let key = [SQLiteValue.integer(meter), .text(row.key.text)]
    let known = try statement(
      "SELECT ordinal, entry IS NULL FROM meter_record WHERE meter = ?1 AND key = ?2 AND \(Self.isSameRecord("?3", "?4"))"
    ).first(key[0], key[1], .text(row.value), Self.seconds(row.baseTime))
    guard let known else { return try add(row, key) }
    // A record that was left aside may have a value by now: its context arrived, or its time is not in the future any more.
    guard known[1] == .integer(1), case .entry(let entry) = row.result else { return false }
    try statement(
      "UPDATE meter_record SET entry = ?4, left_aside_for = NULL WHERE meter = ?1 AND key = ?2 AND ordinal = ?3"
    ).run(key + [known[0], .blob(orNull: entry.id?.bytes)])
    return try add(entry) == .added
  }

  private func add(_ row: MeterRow, _ key: [SQLiteValue]) throws(StoreError) -> Bool {
    var isNew = true
    var (entryID, reason) = (SQLiteValue.null, SQLiteValue.null)
    switch row.result {
    case .entry(let entry):
      isNew = try add(entry) == .added
      entryID = .blob(orNull: entry.id?.bytes)
    case .leftAside(let code, _): reason = .text(code)
    }
    try statement(
      """
      INSERT INTO meter_record (meter, key, ordinal, value, base_time, meter_time, packets, entry, left_aside_for)
        SELECT ?1, ?2, count(*) + 1, ?3, ?4, ?5, ?6, ?7, ?8 FROM meter_record WHERE meter = ?1 AND key = ?2
      """
    ).run(
      key + [
        .text(row.value), Self.seconds(row.baseTime),
        .text(orNull: row.meterTime?.description),
        .text(row.packets.map { HexText.string(of: $0) }.joined(separator: " ")), entryID, reason,
      ])
    return isNew
  }

  /// SQL condition for a row of `meter_record` that is this record with another clock.
  private static func isSameRecord(_ value: String, _ baseTime: String) -> String {
    "value = \(value) AND (base_time IS \(baseTime) OR abs(base_time - \(baseTime)) <= 2 * 86400)"
  }

  private static func seconds(_ time: CivilTime?) -> SQLiteValue {
    .integer(time.map { Int($0.instant(offsetSeconds: 0).secondsSince1970) })
  }

  /// Lists the meters, the last read one first.
  package func meters() throws(StoreError) -> [StoredMeter] {
    try statement(
      """
      SELECT id, address, serial, maker, model, name, highest_sequence, probe_packet, last_read_at, is_forgotten,
        (SELECT count(*) FROM meter_record JOIN entry ON entry.id = meter_record.entry AND kind = 3 WHERE meter = meter.id),
        (SELECT count(*) FROM meter_record JOIN entry ON entry.id = meter_record.entry AND kind = 4 WHERE meter = meter.id),
        (SELECT count(*) FROM meter_record WHERE meter = meter.id AND entry IS NULL)
      FROM meter ORDER BY last_read_at DESC, id
      """
    ).all { row in
      let packet = row.blobOrNil(7)
      return StoredMeter(
        id: StoredMeter.ID(row: row.integer(0)),
        facts: MeterFacts(
          address: row.textOrNil(1) ?? "", serial: row.textOrNil(2), maker: row.textOrNil(3), model: row.textOrNil(4),
          name: row.textOrNil(5)),
        probe: packet.map { StoredMeter.Probe(sequence: row.integer(6), packet: $0) },
        lastReadAt: row.instantOrNil(8), fingerSticks: row.integer(10), bloodPressures: row.integer(11),
        leftAside: row.integer(12), isForgotten: row.integer(9) == 1)
    }
  }

  /// Finds the meter with these facts; nil if none of its records was read.
  package func meter(_ facts: MeterFacts) throws(StoreError) -> StoredMeter? {
    guard let row = try knownMeterRow(for: facts) else { return nil }
    return try meters().first { $0.id.row == row }
  }

  /// Forgets how far a meter was read, so that it is not listed any more and is read from its first record when it
  /// comes back. With `removingValues` its finger-sticks and blood pressures are removed, too: `removals` reports them,
  /// a merge does not restore them, and reading the meter again does. Returns the number of removed values.
  package func forget(_ meter: StoredMeter.ID, removingValues: Bool) throws(StoreError) -> Int {
    try transaction { () throws(StoreError) in
      let id = SQLiteValue.integer(meter.row)
      var removed = 0
      if removingValues {
        let change = SQLiteValue.integer(try nextChange())
        // A value that another meter has too belongs to both and stays.
        let own = """
          id IN (SELECT meter_record.entry FROM meter_record WHERE meter = ?1) AND id NOT IN (
            SELECT meter_record.entry FROM meter_record WHERE meter <> ?1 AND meter_record.entry IS NOT NULL)
          """
        try statement(
          "INSERT OR REPLACE INTO deleted_entry (id, change, stays) SELECT id, ?2, 'merged' FROM entry WHERE \(own)"
        ).run(id, change)
        try statement("DELETE FROM entry WHERE \(own)").run(id)
        removed = database.changes
        try statement("DELETE FROM meter WHERE id = ?").run(id)
      } else {
        try statement(
          "UPDATE meter SET is_forgotten = 1, highest_sequence = NULL, probe_packet = NULL WHERE id = ?"
        ).run(id)
      }
      return removed
    }
  }

  // MARK: Identity

  /// Returns the row of a meter: the one with its serial number, or the one with its address and no other serial number.
  private func knownMeterRow(for facts: MeterFacts) throws(StoreError) -> Int? {
    if let serial = facts.serial {
      let row = try statement(
        "SELECT id FROM meter WHERE serial = ?1 AND (?2 IS NULL OR maker IS NULL OR maker = ?2) ORDER BY id LIMIT 1"
      ).first(.text(serial), .text(orNull: facts.maker))
      if let row { return row[0].integer.map(Int.init) }
    }
    let row = try statement(
      "SELECT id FROM meter WHERE address = ?1 AND (?2 IS NULL OR serial IS NULL) ORDER BY last_read_at DESC LIMIT 1"
    ).first(.text(facts.address), .text(orNull: facts.serial))
    return row?[0].integer.map(Int.init)
  }

  private func meterRow(for facts: MeterFacts) throws(StoreError) -> Int {
    let values: [SQLiteValue] = [
      .text(facts.address), .text(orNull: facts.serial), .text(orNull: facts.maker), .text(orNull: facts.model),
      .text(orNull: facts.name),
    ]
    guard let known = try knownMeterRow(for: facts) else {
      try statement("INSERT INTO meter (address, serial, maker, model, name) VALUES (?, ?, ?, ?, ?)").run(values)
      return Int(database.lastInsertedRow)
    }
    try statement(
      """
      UPDATE meter SET address = ?1, serial = coalesce(?2, serial), maker = coalesce(?3, maker),
        model = coalesce(?4, model), name = coalesce(?5, name) WHERE id = ?6
      """
    ).run(values + [.integer(known)])
    return known
  }

  // MARK: Merging

  /// Adds the meters and records of another store. A record that this store already has keeps its entry here, even if the
  /// other store dated it differently; returns the ids of the other store's entries for such records.
  func mergeMeters(of other: SensorStore) throws(StoreError) -> Set<[UInt8]> {
    var superseded: Set<[UInt8]> = []
    for theirs in try other.meters() {
      let isNew = try knownMeterRow(for: theirs.facts) == nil
      let meter = SQLiteValue.integer(try meterRow(for: theirs.facts))
      let records = try other.statement(
        "SELECT key, value, base_time, meter_time, packets, entry, left_aside_for FROM meter_record WHERE meter = ? ORDER BY key, ordinal"
      ).all(.integer(theirs.id.row)) { $0.values }
      for record in records {
        let known = try statement(
          "SELECT entry FROM meter_record WHERE meter = ?1 AND key = ?2 AND \(Self.isSameRecord("?3", "?4"))"
        ).first(meter, record[0], record[1], record[2])
        if let known {
          if let id = record[5].blob, let mine = known[0].blob, mine != id { superseded.insert(id) }
          continue
        }
        try statement(
          """
          INSERT INTO meter_record (meter, key, ordinal, value, base_time, meter_time, packets, entry, left_aside_for)
            SELECT ?1, ?2, count(*) + 1, ?3, ?4, ?5, ?6, ?7, ?8 FROM meter_record WHERE meter = ?1 AND key = ?2
          """
        ).run([meter] + record)
      }
      // A meter known to both stores keeps its own place here: the next reading asks for what it has not seen.
      guard isNew else { continue }
      let place = try other.statement(
        "SELECT highest_sequence, probe_packet, last_read_at, is_forgotten FROM meter WHERE id = ?"
      ).first(.integer(theirs.id.row))
      try statement(
        "UPDATE meter SET highest_sequence = ?2, probe_packet = ?3, last_read_at = ?4, is_forgotten = ?5 WHERE id = ?1"
      ).run([meter] + (place ?? []))
    }
    return superseded
  }
}
