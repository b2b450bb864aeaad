// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import HostSystem

extension SensorStore {
  /// Stores records of a meter, all of them or none. Returns for each whether it is new: it was not in the store
  /// before, or was left aside then and has a usable value now. Neither is true if its entry was in the store, or if
  /// the user removed it. A record is known by its meter and its key, whatever the meter's clock shows (`Schema` has
  /// the rule).
  package func keep(_ rows: [MeterRow], from facts: MeterFacts, at now: Instant) throws(StoreError) -> [Bool] {
    try transaction { () throws(StoreError) in
      let meter = try meterRow(for: facts)
      try run("UPDATE meter SET last_read_at = ?2, is_forgotten = 0 WHERE id = ?1", .integer(meter), .instant(now))
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
      try run(
        "UPDATE meter SET highest_sequence = ?2, probe_packet = ?3 WHERE id = ?1", .integer(meter),
        .integer(probe?.sequence), .blob(orNull: probe?.packet))
    }
  }

  private func keep(_ row: MeterRow, ofMeter meter: Int) throws(StoreError) -> Bool {
    if let sequence = row.key.sequence {
      try run(
        """
        UPDATE meter SET highest_sequence = ?2, probe_packet = ?3
          WHERE id = ?1 AND (highest_sequence IS NULL OR highest_sequence <= ?2)
        """, .integer(meter), .integer(sequence), .blob(orNull: row.packets.first))
    }
    let key = [SQLiteValue.integer(meter), .text(row.key.text)]
    guard let known = try knownRecord(key + [.text(row.value), Self.seconds(row.baseTime)]) else {
      return try add(row, key)
    }
    // A record that was left aside may have a value by now: its context arrived, or its time is not in the future any more.
    guard known.entry == .null, case .entry(let entry) = row.result else { return false }
    try run(
      "UPDATE meter_record SET entry = ?4, left_aside_for = NULL WHERE meter = ?1 AND key = ?2 AND ordinal = ?3",
      key + [known.ordinal, .blob(orNull: entry.id?.bytes)])
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
    try run(
      Self.insertRecord,
      key + [
        .text(row.value), Self.seconds(row.baseTime), .text(orNull: row.meterTime?.description),
        .text(row.packets.map { HexText.string(of: $0) }.joined(separator: " ")), entryID, reason,
      ])
    return isNew
  }

  /// Inserts a record with the next ordinal of its meter and key.
  private static let insertRecord = """
    INSERT INTO meter_record (meter, key, ordinal, value, base_time, meter_time, packets, entry, left_aside_for)
      SELECT ?1, ?2, count(*) + 1, ?3, ?4, ?5, ?6, ?7, ?8 FROM meter_record WHERE meter = ?1 AND key = ?2
    """

  /// Finds a record by its meter, key, value and inner time, which may be of another clock.
  private func knownRecord(_ values: [SQLiteValue]) throws(StoreError) -> (ordinal: SQLiteValue, entry: SQLiteValue)? {
    try first(
      """
      SELECT ordinal, entry FROM meter_record WHERE meter = ?1 AND key = ?2
        AND value = ?3 AND (base_time IS ?4 OR abs(base_time - ?4) <= 2 * 86400)
      """, values
    ).map { ($0[0], $0[1]) }
  }

  private static func seconds(_ time: CivilTime?) -> SQLiteValue {
    .integer(time.map { Int($0.instant(offsetSeconds: 0).secondsSince1970) })
  }

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
      StoredMeter(
        id: StoredMeter.ID(row: row.integer(0)),
        facts: MeterFacts(
          address: row.textOrNil(1) ?? "", serial: row.textOrNil(2), maker: row.textOrNil(3), model: row.textOrNil(4),
          name: row.textOrNil(5)),
        probe: row.blobOrNil(7).map { StoredMeter.Probe(sequence: row.integer(6), packet: $0) },
        lastReadAt: row.instantOrNil(8), fingerSticks: row.integer(10), bloodPressures: row.integer(11),
        leftAside: row.integer(12), isForgotten: row.integer(9) == 1)
    }
  }

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
      guard removingValues else {
        try run("UPDATE meter SET is_forgotten = 1, highest_sequence = NULL, probe_packet = NULL WHERE id = ?", id)
        return 0
      }
      // A value that another meter has too belongs to both and stays.
      let own = """
        id IN (SELECT meter_record.entry FROM meter_record WHERE meter = ?1) AND id NOT IN (
          SELECT meter_record.entry FROM meter_record WHERE meter <> ?1 AND meter_record.entry IS NOT NULL)
        """
      let removed = try removeEntries(where: own, id, stays: "merged")
      try run("DELETE FROM meter WHERE id = ?", id)
      return removed
    }
  }

  // MARK: Identity

  /// Returns the row of a meter: the one with its serial number, or the one with its address and no other serial number.
  private func knownMeterRow(for facts: MeterFacts) throws(StoreError) -> Int? {
    if let serial = facts.serial {
      let row = try integer(
        "SELECT id FROM meter WHERE serial = ?1 AND (?2 IS NULL OR maker IS NULL OR maker = ?2) ORDER BY id LIMIT 1",
        .text(serial), .text(orNull: facts.maker))
      if let row { return row }
    }
    return try integer(
      "SELECT id FROM meter WHERE address = ?1 AND (?2 IS NULL OR serial IS NULL) ORDER BY last_read_at DESC LIMIT 1",
      .text(facts.address), .text(orNull: facts.serial))
  }

  private func meterRow(for facts: MeterFacts) throws(StoreError) -> Int {
    let values: [SQLiteValue] = [
      .text(facts.address), .text(orNull: facts.serial), .text(orNull: facts.maker), .text(orNull: facts.model),
      .text(orNull: facts.name),
    ]
    guard let known = try knownMeterRow(for: facts) else {
      try run("INSERT INTO meter (address, serial, maker, model, name) VALUES (?, ?, ?, ?, ?)", values)
      return Int(database.lastInsertedRow)
    }
    try run(
      """
      UPDATE meter SET address = ?1, serial = coalesce(?2, serial), maker = coalesce(?3, maker),
        model = coalesce(?4, model), name = coalesce(?5, name) WHERE id = ?6
      """, values + [.integer(known)])
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
        if let known = try knownRecord([meter] + record.prefix(3)) {
          if let id = record[5].blob, let mine = known.entry.blob, mine != id { superseded.insert(id) }
        } else {
          try run(Self.insertRecord, [meter] + record)
        }
      }
      // A meter known to both stores keeps its own place here: the next reading asks for what it has not seen.
      guard isNew else { continue }
      let place = try other.first(
        "SELECT highest_sequence, probe_packet, last_read_at, is_forgotten FROM meter WHERE id = ?",
        .integer(theirs.id.row))
      try run(
        "UPDATE meter SET highest_sequence = ?2, probe_packet = ?3, last_read_at = ?4, is_forgotten = ?5 WHERE id = ?1",
        [meter] + (place ?? []))
    }
    return superseded
  }
}

package struct StoredMeter: Hashable, Sendable {
  package struct ID: Hashable, Sendable { let row: Int }

  /// The record from which the next reading continues. If the meter answers with another record for this number, or with
  /// none, its numbers were set back.
  package struct Probe: Hashable, Sendable {
    package let sequence: Int
    package let packet: [UInt8]

    package init(sequence: Int, packet: [UInt8]) { (self.sequence, self.packet) = (sequence, packet) }
  }

  package let id: ID
  package let facts: MeterFacts
  /// nil if the meter has no sequence numbers, or nothing was read yet.
  package let probe: Probe?
  package let lastReadAt: Instant?
  package let fingerSticks: Int
  package let bloodPressures: Int
  package let leftAside: Int
  /// True after `forget`: its measurements are still in the store, and its next reading begins with its first record.
  package let isForgotten: Bool
}
