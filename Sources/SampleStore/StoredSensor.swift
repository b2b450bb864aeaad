// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import HostSystem

package struct StoredSensor: Hashable, Sendable {
  /// Row of the sensor; valid for this store only.
  package struct ID: Hashable, Sendable { let row: Int }

  package let id: ID
  package let identity: SensorIdentity
  package let region: SensorRegion?
  package let patchInfo: PatchInfo?
  package let maxLifeMinutes: Int?
  /// Wears in the order of their numbers: by their starts, those without one last.
  package let wears: [StoredWear]

  /// The one that was started last; one with an unknown start only without another.
  package var latestWear: StoredWear? { wears.last { $0.anchor.activatedAt != nil } ?? wears.last }

  package var sampleCount: Int { wears.reduce(0) { $0 + $1.historySamples + $1.trendSamples } }
}

package struct StoredWear: Hashable, Sendable {
  package let facts: WearFacts
  package let anchor: ActivationAnchor
  package let scans: Int
  package let historySamples: Int
  package let trendSamples: Int
  package let newestMinute: SensorMinute?
  package let conflicts: [StoredConflict]
  /// Start on which most dated scans agree; nil without dated scans.
  package let agreement: StartAgreement?
  /// Seconds by which each dated scan dates the start later than the anchor, in the order of the sensor's age.
  package let disagreements: [ScanDisagreement]
  package let userCalibration: UserCalibration?

  package var number: Int { facts.wear }
  package var ageMinutes: Int? { facts.lastAgeMinutes }
  package var lastReadAt: Instant? { facts.lastReadAt }
}

extension SensorStore {
  /// Returns all sensors, the latest started first. The samples of each wear are counted, which for a large store takes
  /// longer than everything else: `sensorIdentities` does without.
  package func sensors() throws(StoreError) -> [StoredSensor] {
    var sensors: [StoredSensor] = []
    for (id, _) in try sensorIdentities() {
      if let sensor = try sensor(row: id.row) { sensors.append(sensor) }
    }
    return sensors
  }

  package func latestSensor() throws(StoreError) -> StoredSensor? {
    try sensorIdentities().first.flatMap { (id, _) throws(StoreError) in try sensor(row: id.row) }
  }

  package func sensorIdentities() throws(StoreError) -> [(id: StoredSensor.ID, identity: SensorIdentity)] {
    try statement(
      """
      SELECT \(SensorFacts.columns), sensor.id FROM sensor
      ORDER BY (SELECT max(coalesce(wear.activated_at, 0)) FROM wear WHERE wear.sensor = sensor.id) DESC, sensor.id DESC
      """
    ).all { row in (StoredSensor.ID(row: row.integer(8)), SensorFacts(row.values).identity) }
  }

  /// The wears whose start is in doubt, so that nothing of them is sent.
  package func doubts() throws(StoreError) -> [SensorIdentity: [Int: StartDoubt]] {
    let rows = try statement("SELECT sensor, number, doubt FROM wear WHERE doubt IS NOT NULL").all {
      ($0.integer(0), $0.integer(1), $0.value(2).text.flatMap(StartDoubt.init))
    }
    var wears: [SensorIdentity: [Int: StartDoubt]] = [:]
    for (sensor, number, doubt) in rows {
      if let facts = try facts(ofSensor: sensor) { wears[facts.identity, default: [:]][number] = doubt }
    }
    return wears
  }

  /// Returns the sensor whose UID, serial number or fingerprint is `text` or begins with it.
  /// - Throws: `noSuchSensor` or `ambiguousSensor`, with `shown` in place of a text that is not fit for a message.
  package func sensor(_ text: String, shown: String? = nil) throws(StoreError) -> StoredSensor {
    let wanted = text.filter { !$0.isWhitespace && $0 != ":" && $0 != "-" }.uppercased()
    let all = try sensorIdentities()
    let exact = all.filter { $0.identity.names.contains(wanted) }
    let matches = exact.isEmpty ? all.filter { $0.identity.names.contains { $0.hasPrefix(wanted) } } : exact
    guard matches.count <= 1 || wanted.isEmpty else {
      throw .ambiguousSensor(shown ?? text, matches.compactMap { $0.identity.names.first })
    }
    guard let match = matches.first, !wanted.isEmpty, let sensor = try sensor(row: match.id.row) else {
      throw .noSuchSensor(shown ?? text)
    }
    return sensor
  }

  /// Returns what the store knows of the sensor of a memory, and whether it has a scan with that memory, which begins with
  /// `identity`; nil for a sensor that it does not know.
  package func stored(
    memory identity: [UInt8], of sensor: SensorDescription
  ) throws(StoreError) -> (sensor: SensorIdentity, hasMemory: Bool)? {
    guard let row = try knownSensorRow(for: SensorFacts(sensor, footer: nil)), let facts = try facts(ofSensor: row)
    else { return nil }
    // A scan of a sensor that was not started is of no wear. The plus keeps SQLite from going through all of a sensor's
    // scans, instead of those of this age.
    let hasMemory = try exists(
      """
      SELECT 1 FROM scan WHERE (wear IN (SELECT id FROM wear WHERE sensor = ?1) OR wear IS NULL AND +sensor = ?1)
        AND age_minutes = ?2 AND substr(memory, 1, ?3) = ?4
      """, .integer(row), .integer(sensor.ageMinutes), .integer(identity.count), .blob(identity))
    return (facts.identity, hasMemory)
  }

  private func sensor(row: Int) throws(StoreError) -> StoredSensor? {
    guard let facts = try facts(ofSensor: row) else { return nil }
    var wears: [StoredWear] = []
    for candidate in try self.wears(ofSensor: row) {
      wears.append(try wear(candidate.wear, number: candidate.number, of: facts))
    }
    return StoredSensor(
      id: StoredSensor.ID(row: row), identity: facts.identity, region: facts.region, patchInfo: facts.patchInfo,
      maxLifeMinutes: facts.maxLifeMinutes, wears: wears)
  }

  private func wear(_ id: Int, number: Int, of sensor: SensorFacts) throws(StoreError) -> StoredWear {
    let anchor = try anchor(ofWear: id)
    let counts = try first(
      """
      SELECT (SELECT count(*) FROM scan WHERE wear = ?1), (SELECT count(*) FROM sample WHERE wear = ?1 AND ring = 0),
        (SELECT count(*) FROM sample WHERE wear = ?1 AND ring = 1)
      """, .integer(id))
    let newest = try newestMinute(id, false)
    let dated = try datedScans(ofWear: id)
    return StoredWear(
      facts: try wearFacts(id, number: number, anchor, of: sensor), anchor: anchor, scans: Int(counts?[0].integer ?? 0),
      historySamples: Int(counts?[1].integer ?? 0), trendSamples: Int(counts?[2].integer ?? 0),
      newestMinute: newest.map(SensorMinute.init), conflicts: try conflicts(ofWear: id),
      agreement: StartAgreement(dated), disagreements: anchor.disagreements(of: dated),
      userCalibration: try userCalibration(ofWear: id))
  }

  func lastScan(
    ofWear wear: Int
  ) throws(StoreError) -> (state: SensorState?, ageMinutes: Int?, readAt: Instant?, reader: ReaderDescription?)? {
    let row = try first(
      """
      SELECT state, age_minutes, read_at, reader_address, reader_name, reader_dialect, reader_battery FROM scan
      WHERE wear = ? ORDER BY age_minutes DESC, read_at DESC LIMIT 1
      """, .integer(wear))
    return row.map { row in
      let reader = row[3].text.map {
        ReaderDescription(
          address: $0, name: row[4].text ?? "", dialect: row[5].text ?? "", batteryPercent: row[6].integer.map(Int.init)
        )
      }
      return (row[0].text.map(SensorState.init(name:)), row[1].minutes, row[2].instant, reader)
    }
  }

  func wearFacts(
    _ id: Int, number: Int, _ anchor: ActivationAnchor, of sensor: SensorFacts
  ) throws(StoreError) -> WearFacts {
    let last = try lastScan(ofWear: id)
    return WearFacts(
      sensor.identity, wear: number, activatedAt: anchor.activatedAt, doubt: anchor.doubt,
      maxLifeMinutes: sensor.maxLifeMinutes, lastState: last?.state, lastAgeMinutes: last?.ageMinutes,
      lastReadAt: last?.readAt, lastReader: last?.reader)
  }

  private func conflicts(ofWear wear: Int) throws(StoreError) -> [StoredConflict] {
    try statement(
      """
      SELECT ring, minute, sample.glucose, sample.temperature, sample.temperature_adjustment, sample.has_error,
        sample.error_field, ring, minute, conflict.glucose, conflict.temperature, conflict.temperature_adjustment,
        conflict.has_error, conflict.error_field, conflict.is_salvaged
      FROM conflict JOIN sample USING (wear, ring, minute) WHERE wear = ? ORDER BY minute, ring
      """
    ).all(.integer(wear)) { row in
      StoredConflict(
        kept: SampleRow.raw(row, first: 0), other: SampleRow.raw(row, first: 7), isOtherSalvaged: row.integer(14) != 0)
    }
  }
}
