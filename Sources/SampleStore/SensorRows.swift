// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem

extension SensorStore {
  /// Returns the row of a scan's sensor, adds the scan's facts to it, and inserts it if it is missing.
  ///
  /// | the scan has | its sensor is |
  /// |---|---|
  /// | a UID | the one with that UID. A sensor without a UID but with the scan's fingerprint is the same, unless another UID has this fingerprint too |
  /// | only a fingerprint | the one with that fingerprint; if several UIDs have it, one without a UID |
  func sensorRow(for facts: SensorFacts, change: Int) throws(StoreError) -> Int {
    try watchStandings(of: facts)
    let row: Int
    if let uid = facts.uid {
      let known = try id("SELECT id FROM sensor WHERE uid = ?", uid)
      let nameless = try id(
        """
        SELECT id FROM sensor WHERE uid IS NULL AND fingerprint = ?1
          AND NOT EXISTS (SELECT 1 FROM sensor AS other WHERE other.fingerprint = ?1 AND other.uid <> ?2)
        """, facts.fingerprint, uid)
      switch (known, nameless) {
      case (let known?, let nameless?):
        row = known
        try join(nameless, into: known, change: change)
      case (let known?, nil): row = known
      case (nil, let nameless?):
        row = nameless
        try name(nameless, uid: uid, change: change)
      case (nil, nil): row = try newSensor(facts)
      }
    } else {
      row = try namelessRow(facts)
    }
    try complete(row, with: facts)
    try watchStandings(ofSensor: row)
    return row
  }

  func complete(_ row: Int, with facts: SensorFacts) throws(StoreError) {
    try run(
      """
      UPDATE sensor SET fingerprint = coalesce(fingerprint, ?), serial = coalesce(serial, ?),
        family = CASE family WHEN 'unknown' THEN ? ELSE family END, region = coalesce(region, ?),
        patch_info = coalesce(patch_info, ?), max_life_minutes = coalesce(max_life_minutes, ?),
        footer = coalesce(footer, ?) WHERE id = ?
      """, .text(orNull: facts.fingerprint), .text(orNull: facts.identity.serial),
      .text(facts.identity.family.rawValue), .text(orNull: facts.region?.name),
      .text(orNull: facts.patchInfo?.description), .integer(facts.maxLifeMinutes), .blob(orNull: facts.footer),
      .integer(row))
  }

  func knownSensorRow(for facts: SensorFacts) throws(StoreError) -> Int? {
    if let known = try id("SELECT id FROM sensor WHERE uid = ?", facts.uid) { return known }
    let nameless = try id("SELECT id FROM sensor WHERE uid IS NULL AND fingerprint = ?", facts.fingerprint)
    if let nameless { return nameless }
    guard facts.uid == nil, let fingerprint = facts.fingerprint else { return nil }
    return try id("SELECT max(id) FROM sensor WHERE fingerprint = ? HAVING count(*) = 1", fingerprint)
  }

  private func id(_ query: String, _ text: String?, _ other: String? = nil) throws(StoreError) -> Int? {
    guard let text else { return nil }
    return try integer(query, [.text(text)] + (other.map { [.text($0)] } ?? []))
  }

  private func namelessRow(_ facts: SensorFacts) throws(StoreError) -> Int {
    let rows = try statement("SELECT id, uid FROM sensor WHERE fingerprint = ?")
      .all(.text(facts.fingerprint ?? "")) { (id: $0.integer(0), isNamed: !$0.isNull(1)) }
    let named = rows.filter { $0.isNamed }
    if named.count == 1 { return named[0].id }
    if let nameless = rows.last(where: { !$0.isNamed }) { return nameless.id }
    return try newSensor(facts)
  }

  private func newSensor(_ facts: SensorFacts) throws(StoreError) -> Int {
    try run(
      "INSERT INTO sensor (uid, fingerprint, family) VALUES (?, ?, ?)", .text(orNull: facts.uid),
      .text(orNull: facts.fingerprint), .text(facts.identity.family.rawValue))
    return Int(database.lastInsertedRow)
  }

  /// Sets the UID of a sensor: its samples get ids, so they count as changed.
  private func name(_ sensor: Int, uid: String, change: Int) throws(StoreError) {
    try run("UPDATE sensor SET uid = ? WHERE id = ?", .text(uid), .integer(sensor))
    for candidate in try wears(ofSensor: sensor) { try touch(wear: candidate.wear, change: change) }
  }

  func facts(ofSensor row: Int) throws(StoreError) -> SensorFacts? {
    try first("SELECT \(SensorFacts.columns) FROM sensor WHERE id = ?", .integer(row)).map(SensorFacts.init)
  }

  // MARK: Wears

  func anchor(ofWear wear: Int) throws(StoreError) -> ActivationAnchor {
    var anchor = ActivationAnchor()
    let row = try first(
      "SELECT activated_at, anchored_by, anchor_read_at, doubt FROM wear WHERE id = ?", .integer(wear))
    guard let row else { return anchor }
    anchor.activatedAt = row[0].instant
    anchor.origin = row[1].text.flatMap(ActivationAnchor.Origin.init)
    anchor.readAt = row[2].instant
    anchor.doubt = row[3].text.flatMap(StartDoubt.init)
    return anchor
  }

  /// Marks all samples of a wear as changed, because their times or ids are new.
  func touch(wear: Int, change: Int) throws(StoreError) {
    for table in ["sample", "revision"] {
      try run("UPDATE \(table) SET change = ? WHERE wear = ?", .integer(change), .integer(wear))
    }
  }

  /// Dates a wear by its scans, unless the user has dated it. A wear whose first scans were removed for their age keeps
  /// its start.
  func date(wear: Int, change: Int) throws(StoreError) {
    guard try removedUntil(ofWear: wear) == 0 else { return }
    guard let anchor = ActivationAnchor(try datedScans(ofWear: wear)) else { return }
    _ = try moveAnchor(ofWear: wear, change: change) { if $0.origin != .user { $0 = anchor } }
  }

  /// True if a scan of the wear changes nothing about its anchor: it agrees with the youngest scan, which dates the wear.
  /// A sensor that is read every minute need not be dated by all its scans each time.
  func isSettled(
    _ anchor: ActivationAnchor, ofWear wear: Int, by scan: StartAgreement.Scan
  ) throws(StoreError) -> Bool {
    guard anchor.origin == .scan, anchor.doubt == nil, let readAt = anchor.readAt, let start = anchor.activatedAt,
      anchor.agrees(with: scan)
    else { return false }
    return try !exists(
      """
      SELECT 1 FROM scan WHERE wear = ?1 AND is_dating AND (age_minutes < ?2 OR age_minutes = ?2 AND read_at < ?3)
      LIMIT 1
      """, .integer(wear), .integer((readAt.secondsSince1970 - start.secondsSince1970) / 60), .instant(readAt))
  }

  /// Changes the anchor of a wear and returns the result. If its times move, all its samples count as changed, so that
  /// every receiver and every client gets them again.
  func moveAnchor(
    ofWear wear: Int, change: Int, _ move: (inout ActivationAnchor) -> Void
  ) throws(StoreError) -> ActivationAnchor {
    let before = try anchor(ofWear: wear)
    var after = before
    move(&after)
    if after != before { try save(after, ofWear: wear) }
    if before.activatedAt != after.activatedAt || before.doubt != after.doubt {
      try touch(wear: wear, change: change)
    }
    if before.activatedAt != after.activatedAt { try number(wearsBeside: wear, change: change) }
    return after
  }

  /// Numbers the wears of a sensor by their starts (those without one last), so that the order of storing does not
  /// matter. A number is part of a sample's id: a changed number gives the samples new ids.
  func number(wearsBeside wear: Int, change: Int) throws(StoreError) {
    let moved = try statement(
      """
      SELECT id, number, uid FROM (
        SELECT wear.id, wear.number AS stored, sensor.uid,
          row_number() OVER (ORDER BY wear.activated_at IS NULL, wear.activated_at, wear.number) AS number
        FROM wear JOIN sensor ON sensor.id = wear.sensor
        WHERE wear.sensor = (SELECT sensor FROM wear WHERE id = ?)
      ) WHERE stored <> number
      """
    ).all(.integer(wear)) { (wear: $0.integer(0), number: $0.integer(1)) }
    var removals: [Int: [[SQLiteValue]]] = [:]
    for wear in moved {
      removals[wear.wear] = try liftRemovals(ofWear: wear.wear)
      try noteRemoval(ofSamples: "sample.wear = ?1", [.integer(wear.wear)], change: change)
      try touch(wear: wear.wear, change: change)
      // Moves the numbers out of the way, because they are unique.
      try run("UPDATE wear SET number = 65535 - number WHERE id = ?", .integer(wear.wear))
    }
    for wear in moved {
      try run("UPDATE wear SET number = ? WHERE id = ?", .integer(wear.number), .integer(wear.wear))
    }
    for wear in moved {
      // A sample that exists under its new id is not removed.
      try run(
        """
        DELETE FROM deleted_sample WHERE (uid, wear, ring, minute) IN (
          SELECT sensor.uid, wear.number, sample.ring, sample.minute FROM wear
          JOIN sensor ON sensor.id = wear.sensor JOIN sample ON sample.wear = wear.id WHERE wear.id = ?)
        """, .integer(wear.wear))
      try putRemovals(removals[wear.wear] ?? [], intoWear: wear.wear, change: change)
    }
  }

  func save(_ anchor: ActivationAnchor, ofWear wear: Int) throws(StoreError) {
    try run(
      "UPDATE wear SET activated_at = ?, anchored_by = ?, anchor_read_at = ?, doubt = ? WHERE id = ?",
      .instant(anchor.activatedAt), .text(orNull: anchor.origin?.rawValue), .instant(anchor.readAt),
      .text(orNull: anchor.doubt?.rawValue), .integer(wear))
  }
}

extension SQLiteStatement {
  func minutes(_ column: Int32) -> Int { value(column).minutes ?? 0 }
}

extension SQLiteValue {
  /// Minutes, in the two bytes of a sensor.
  var minutes: Int? { integer.map { Int(UInt16(clamping: $0)) } }
}

/// A row of `sensor`: the facts on which all scans of one sensor agree.
struct SensorFacts {
  let identity: SensorIdentity
  var region: SensorRegion?
  var patchInfo: PatchInfo?
  var maxLifeMinutes: Int?
  var footer: [UInt8]?

  init(_ sensor: SensorDescription, footer: [UInt8]?) {
    (identity, region, patchInfo) = (sensor.identity, sensor.region, sensor.patchInfo)
    (maxLifeMinutes, self.footer) = (sensor.maxLifeMinutes, footer)
  }

  init(_ identity: SensorIdentity) { self.identity = identity }

  static let columns = "uid, fingerprint, serial, family, region, patch_info, max_life_minutes, footer"

  init(_ row: [SQLiteValue]) {
    let family = row[3].text.flatMap(SensorFamily.init) ?? .unknown
    patchInfo = row[5].text.flatMap(HexText.bytes).flatMap(PatchInfo.init)
    identity = SensorIdentity(
      uid: row[0].text.flatMap { try? SensorUID(printed: $0) },
      fingerprint: row[1].text.flatMap(HexText.bytes).flatMap(SensorFingerprint.init),
      serial: row[2].text.flatMap(Self.serial), family: family, product: SensorProduct(patchInfo, of: family))
    region = row[4].text.map(SensorRegion.init(name:))
    maxLifeMinutes = row[6].minutes
    footer = row[7].blob
  }

  /// The serial number; nil for a text that cannot be one. Serial numbers are shown as they are.
  private static func serial(_ text: String) -> String? {
    let isSerial = (1...32).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    return isSerial ? text : nil
  }

  var uid: String? { identity.uid?.description }
  var fingerprint: String? { identity.fingerprint?.description }
}
