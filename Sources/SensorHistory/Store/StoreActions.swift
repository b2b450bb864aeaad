// SPDX-License-Identifier: Apache-2.0
import HostSystem
import TextFormats

extension SensorStore {
  /// Finds a sensor by the beginning of its UID, serial or fingerprint, by default the one in use; and one of its
  /// wears, by default the latest. A store without sensors throws `noValue`.
  package func chosenWear(of name: String?, wear: Int?) throws(StoreError) -> (sensor: StoredSensor, wear: Int) {
    let chosen = if let name { try sensor(name, shown: SafeText.excerpt(name)) } else { try latestSensor() }
    guard let sensor = chosen else { throw .noValue(path: path) }
    guard let wear else { return (sensor, sensor.latestWear?.number ?? 1) }
    guard sensor.wears.contains(where: { $0.number == wear }) else { throw .noSuchWear(wear) }
    return (sensor, wear)
  }

  /// Adds a typed finger-stick; returns the outcome and its id. A known one gets another note: that is `filled`.
  package func note(_ stick: FingerStick) throws(StoreError) -> (EntryOutcome, SampleID) {
    let entry = HistoryEntry.fingerStick(stick).identified()
    var outcome = try add(entry, isTyped: true)
    // `identified` gives every finger-stick an id.
    let id = entry.id ?? SampleID(high: 0, low: 0)
    if outcome == .known, let note = stick.note, try set(note: note, ofFingerStick: id) { outcome = .filled }
    return (outcome, id)
  }

  /// Finds an entry of any kind but blood pressure by its id; throws `noSuchEntry` without one.
  package func entry(_ id: SampleID) throws(StoreError) -> HistoryEntry {
    var query = HistoryQuery(rings: .all)
    query.includesFingerSticks = true
    var found: HistoryEntry?
    try forEachEntry(query) { entry in
      if entry.id == id { found = entry }
      return found == nil
    }
    guard let found else { throw .noSuchEntry("value with the id \(id)") }
    return found
  }

  /// Finds the finger-sticks that show this value at a time; a time without seconds means its whole minute.
  package func fingerSticks(
    showing concentration: GlucoseConcentration?, at time: Instant
  ) throws(StoreError) -> [HistoryEntry] {
    let isMinute = time.secondsSince1970 % 60 == 0
    let end = isMinute ? Instant(secondsSince1970: time.secondsSince1970 + 59) : time
    var query = HistoryQuery(rings: [], from: time, to: end)
    query.includesFingerSticks = true
    var found: [HistoryEntry] = []
    try forEachEntry(query) { entry in
      let isMatch = GlucoseUnit.allCases.contains { entry.concentration.map($0.shown) == concentration.map($0.shown) }
      if isMatch { found.append(entry) }
      return true
    }
    return found
  }

  package func remove(_ entry: HistoryEntry) throws(StoreError) {
    if case .sensor(let stored) = entry {
      _ = try remove(stored)
    } else if let id = entry.id {
      _ = try remove(id)
    }
  }

  /// Removes the values and scans that only these imports brought, of all imports or of none; also those that only
  /// several of them share. A rehearsal changes nothing.
  package func removeImports(
    _ ids: [Int], isRehearsal: Bool
  ) throws(StoreError) -> [(id: Int, content: ImportContent)] {
    func remove() throws(StoreError) -> [(id: Int, content: ImportContent)] {
      var removed: [(id: Int, content: ImportContent)] = []
      for id in ids where !removed.contains(where: { $0.id == id }) { removed.append((id, try removeImport(id))) }
      return removed
    }
    return try isRehearsal ? rehearse(remove) : transaction(remove)
  }

  /// Merges another store, and decodes scans that only the two together can decode. A rehearsal changes nothing.
  package func merge(_ other: SensorStore, isRehearsal: Bool) throws(StoreError) -> MergeReceipt {
    guard isRehearsal else { return try mergeAndDecode(other) }
    return try rehearse { () throws(StoreError) in try mergeAndDecode(other) }
  }

  /// Gives a sensor to another person's store, and decodes scans there that only the two together can decode. The other
  /// store has it before it is removed here: after an interruption both have it, and giving it again ends the move.
  package func give(_ sensor: StoredSensor, to other: SensorStore) throws(StoreError) {
    try other.transaction { () throws(StoreError) in
      try other.take(sensor, from: self)
      for sensor in try other.sensors() { try other.calibrate(sensor.id) }
    }
    try forget(sensor)
  }

  /// Removes values older than a limit, if one is given, and shrinks the file; returns the number of removed values.
  package func vacuum(before limit: Instant?, isRehearsal: Bool) throws(StoreError) -> Int {
    func removed() throws(StoreError) -> Int { if let limit { try removeAll(before: limit) } else { 0 } }
    if isRehearsal { return try rehearse(removed) }
    let count = try removed()
    try shrink()
    return count
  }

  package func hint(nothingFoundBy query: HistoryQuery) throws(StoreError) -> String {
    if let anchor = query.after {
      let removed = try changes(after: anchor).removed.count
      if removed == 0 { return "nothing has changed since that anchor" }
      return "nothing was added since that anchor, and \(removed) \(removed == 1 ? "value was" : "values were") removed"
    }
    let own = try newestSample(of: query.scope, rings: query.rings, isUsable: false)?.time
    let imported = try newestImport(of: query.scope, rings: query.rings)
    let newest = [own, imported].compactMap(\.self).max()
    var (all, oldest) = (query, Instant?.none)
    (all.from, all.to, all.isNewestFirst) = (nil, nil, false)
    try forEach(all) { entry throws(StoreError) in
      oldest = entry.time
      return false
    }
    let undated = try undatedSamples(of: query.scope)
    let span = [query.from.map { "since \(LocalTime.text($0))" }, query.to.map { "until \(LocalTime.text($0))" }]
      .compactMap(\.self).joined(separator: " ")
    var words = "no samples\(span.isEmpty ? "" : " \(span)")"
    if let newest {
      words += "; the newest is from \(LocalTime.text(newest))"
      if let oldest { words += ", the oldest from \(LocalTime.text(oldest))" }
    }
    if undated > 0 { words += "; \(undated) have no time, because their sensor was never read at a known time" }
    return words
  }

  package struct CheckResult: Sendable {
    package var faults: [String] = []
    package var scans = 0
    package var samples = 0
  }

  /// Checks the file and its rows, and decodes each memory again to check that every sample is stored as it was decoded.
  package func check() throws(StoreError) -> CheckResult {
    try snapshot { () throws(StoreError) in
      var result = CheckResult()
      result.faults = try faults()
      try forEachScan { scan throws(StoreError) in
        result.scans += 1
        try check(scan, into: &result)
        return true
      }
      return result
    }
  }

  private func check(_ scan: StoredScan, into result: inout CheckResult) throws(StoreError) {
    let name = "scan \(scan.id?.description ?? "?")"
    let reading: SensorReading
    do throws(LibreError) {
      reading = try scan.reading(footer: scan.footer)
    } catch {
      result.faults.append("\(name): its memory cannot be decoded: \(error.message)")
      return
    }
    guard let wear = scan.wear else { return }
    for sample in reading.samples where !sample.raw.isNeverWritten {
      result.samples += 1
      let words = "\(name): its \(sample.ring.rawValue) sample of minute \(sample.minute)"
      if try !holds(sample.raw, sensor: scan.sensor, wear: wear) {
        result.faults.append("\(words) is not in the store")
      }
      let difference = try difference(from: sample, calibration: reading.calibration, sensor: scan.sensor, wear: wear)
      if let difference { result.faults.append("\(words) is stored with \(difference)") }
    }
  }
}
