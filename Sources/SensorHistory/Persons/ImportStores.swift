// SPDX-License-Identifier: Apache-2.0

/// The stores of an import, in each of which it has a number, to be undone: a memory goes to the owner of its sensor, the
/// values of a subject to the person that the subject becomes.
package final class ImportStores {
  /// Facts about the import, kept in a store beside the counts of its values.
  private struct Record {
    var formats: [String] = []
    var timeZone: String?
    var hasAdded = false

    mutating func count(_ tally: ImportTally) {
      if !formats.contains(tally.format) { formats.append(tally.format) }
      timeZone = tally.timeZone ?? timeZone
      if tally.counts.added + tally.counts.filled + tally.counts.newScans > 0 { hasAdded = true }
    }
  }

  private let own: SensorStore
  private let household: Household
  private let files: [String]
  private let now: Instant
  private let open: (_ subject: String) throws(LibreError) -> SensorStore
  /// The number of the import in the own store.
  private var number = 0
  private var record = Record()
  private var others: [Int: SensorStore] = [:]
  private var known: [Int: SensorStore?] = [:]
  private var subjects: [String: (store: SensorStore, number: Int, record: Record)] = [:]

  /// `own` is the first member's store; it may have values that are not on disk yet. `open` opens the store of a subject
  /// for writing.
  package init(
    own: SensorStore, of household: Household, files: [String], now: Instant,
    open: @escaping (_ subject: String) throws(LibreError) -> SensorStore
  ) {
    (self.own, self.household, self.files, self.now, self.open) = (own, household, files, now, open)
  }

  package func begin() throws(LibreError) { number = try begin(in: own) }

  private func begin(in store: SensorStore) throws(LibreError) -> Int {
    try libre(store.beginImport(of: files, at: now))
  }

  /// Returns the store of a subject, in which the import begins with its first value.
  package func store(of subject: String) throws(LibreError) -> SensorStore {
    if let known = subjects[subject] { return known.store }
    let store = try open(subject)
    subjects[subject] = (store, try begin(in: store), Record())
    return store
  }

  /// Counts what was stored of a file; returns the number of the import in that store.
  package func count(_ tally: ImportTally) -> Int {
    guard let subject = tally.subject, let number = subjects[subject]?.number else {
      record.count(tally)
      return self.number
    }
    subjects[subject]?.record.count(tally)
    return number
  }

  /// True once something of a file went into the own store.
  package var hasStored: Bool { !record.formats.isEmpty }

  /// Stores a reading for the owner of its sensor; returns that person, nil for the current one.
  func remember(
    _ reading: SensorReading, calibration: CalibrationChoice
  ) throws(LibreError) -> (receipt: ScanReceipt, person: Person?) {
    let index = try household.owner(of: reading) { index throws(LibreError) in
      if index == 0 { return own }
      if let other = others[index] { return other }
      if let store = known[index] { return store }
      let store = try StoreFile.openIfPresent(household.members[index].path)
      known[index] = .some(store)
      return store
    }
    if index == 0 { return (try own.remember(reading, calibration: calibration, isShown: false).receipt, nil) }
    let other = if let known = others[index] { known } else { try openOther(index) }
    others[index] = other
    let receipt = try other.transaction { () throws(LibreError) in
      let receipt = try other.remember(reading, calibration: calibration, isShown: false).receipt
      var counts = OutcomeCounts()
      counts.count(receipt)
      try libre(other.count(counts))
      return receipt
    }
    return (receipt, household.members[index].person)
  }

  private func openOther(_ index: Int) throws(LibreError) -> SensorStore {
    // The one that writes closes the store last and removes its log.
    known[index] = nil
    let store = try StoreFile.openForWriting(household.members[index].path)
    _ = try begin(in: store)
    return store
  }

  /// Ends the import in every store, and then throws the first error of one. Returns its number in the own one; nil if that
  /// got nothing new.
  @discardableResult
  package func end() throws(LibreError) -> Int? {
    var failure: StoreError?
    func end(_ store: SensorStore, _ formats: [String], _ timeZone: String?) -> Bool {
      do throws(StoreError) {
        return try store.endImport(formats: formats, timeZone: timeZone)
      } catch {
        failure = failure ?? error
        return false
      }
    }
    let isKept = end(own, record.formats, record.timeZone)
    for other in others.values { _ = end(other, record.formats, nil) }
    for (store, _, record) in subjects.values { _ = end(store, record.formats, record.timeZone) }
    (others, subjects) = ([:], [:])
    if let failure { throw .store(failure) }
    return isKept && record.hasAdded ? number : nil
  }
}
