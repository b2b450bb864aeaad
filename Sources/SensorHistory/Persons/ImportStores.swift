// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import LibreKit
package import SampleStore

/// The stores of an import: each memory goes to the owner of its sensor. It has a number in each of them, to be undone.
package final class ImportStores {
  package let own: SensorStore
  private let household: Household
  private let files: [String]
  private let now: Instant
  private var others: [Int: SensorStore] = [:]
  private var known: [Int: SensorStore?] = [:]

  /// `own` is the first member's store; it may have values that are not on disk yet.
  package init(own: SensorStore, of household: Household, files: [String], now: Instant) {
    (self.own, self.household, self.files, self.now) = (own, household, files, now)
  }

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
    let other = if let known = others[index] { known } else { try begin(index) }
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

  private func begin(_ index: Int) throws(LibreError) -> SensorStore {
    // The one that writes closes the store last and removes its log.
    known[index] = nil
    let store = try StoreFile.openForWriting(household.members[index].path)
    _ = try libre(store.beginImport(of: files, at: now))
    return store
  }

  package func end(formats: [String]) throws(StoreError) {
    for other in others.values { _ = try other.endImport(formats: formats, timeZone: nil) }
    others = [:]
  }
}
