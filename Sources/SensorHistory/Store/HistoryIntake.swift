// SPDX-License-Identifier: Apache-2.0
import HistoryFormats

final class HistoryIntake {
  var tally: ImportTally
  let store: SensorStore
  /// The part of the tally that the store's list of imports does not have yet.
  private var unrecorded: OutcomeCounts
  private let foreign = ForeignWears()
  private let values: SameTimeValues
  private var batch: [HistoryEntry] = []
  private var stored = 0

  /// Ids are random, so a batch changes a page of the file for nearly every value: in a long history the number of pages
  /// that are written is that of the batches times that of the file.
  private static let batchCount = 1 << 15

  init(_ store: SensorStore, _ tally: ImportTally, unrecorded: OutcomeCounts) throws(LibreError) {
    (self.store, self.tally, self.unrecorded) = (store, tally, unrecorded)
    values = SameTimeValues(since: try libre(store.anchor())) { $0.id(ordinal: $1) }
  }

  /// Adds a value. Returns the number of values that are stored, if this one completed a batch.
  func add(_ entry: HistoryEntry) throws(LibreError) -> Int? {
    if case .sensor(let stored) = entry { tally.sensors.insert(stored.sensor) }
    batch.append(entry.identifiedInFile().withFactoryValue)
    guard batch.count >= Self.batchCount else { return nil }
    // The last batch waits for the disk, and with it for all before.
    if stored == 0 { try libre(store.setDurable(false)) }
    try store(batch)
    stored += batch.count
    batch = []
    return stored
  }

  func count(_ facts: HistoryFacts, zone: String?) {
    for (reason, count) in facts.passedOver { leaveOut(reason, count) }
    leaveOut("invalid records", facts.refused.count)
    tally.refusals = facts.refused.first.map(\.message)
    tally.hasLocalTimes = facts.hasLocalTimes
    if facts.hasLocalTimes { tally.timeZone = zone }
  }

  func leaveOut(_ reason: String, _ count: Int = 1) {
    tally.counts.leaveOut(reason, count)
    unrecorded.leaveOut(reason, count)
  }

  /// Stores the values that are left, and waits for all of them to be on the disk.
  func finish(_ dating: DatedFile?) throws(LibreError) {
    try libre(store.setDurable(true))
    try store(batch, dating)
    batch = []
    tally.sameTime = values.historyCount
  }

  private func store(_ entries: [HistoryEntry], _ dating: DatedFile? = nil) throws(LibreError) {
    var stored = OutcomeCounts()
    try store.joinedTransaction { () throws(LibreError) in
      let outcomes = try libre(store.add(entries, from: foreign, among: values))
      for outcome in outcomes {
        if let outcome { stored.count(outcome) } else { stored.leaveOut("from a sensor without UID and fingerprint") }
      }
      if dating != nil || values.isFull || entries.count < Self.batchCount { try libre(store.settle(values)) }
      if let dating { try libre(store.note(dating)) }
      unrecorded.add(stored)
      try libre(store.count(unrecorded))
    }
    tally.counts.add(stored)
    unrecorded = OutcomeCounts()
  }
}

package struct ImportTally: Hashable, Sendable {
  package let path: String
  package let format: String
  package let subject: String?
  /// The numbers of memories and of values, by outcome, as the store's list of imports keeps them.
  package var counts = OutcomeCounts()
  /// The number of added history values that are of the same time as others, from the same source and device.
  package var sameTime = 0
  /// Seconds by which a scan gives a different start of a sensor than the store, if significant.
  package var disagreementSeconds: Int?
  /// Seconds by which its scans moved the start of a sensor that the store had dated, if significant.
  package var startMovedSeconds: Int?
  /// The reason why the start of a sensor may be wrong; of several sensors, that of the last one.
  package var doubt: StartDoubt?
  /// True if times in the file had no zone. Then `timeZone` was used, which is nil if it has no name.
  package var hasLocalTimes = false
  package var timeZone: String?
  package var sensors: Set<SensorIdentity> = []
  package var persons: Set<Person> = []
  /// The reasons for which the first of the refused records were refused.
  package var refusals: [String] = []

  init(path: String, format: String, subject: String? = nil) {
    (self.path, self.format, self.subject) = (path, format, subject)
  }

  mutating func count(_ receipt: ScanReceipt, of person: Person? = nil) {
    if let person { persons.insert(person) }
    counts.count(receipt)
    doubt = receipt.doubt ?? doubt
    if let seconds = receipt.reportedDisagreement, abs(seconds) > abs(disagreementSeconds ?? 0) {
      disagreementSeconds = seconds
    }
    if let seconds = receipt.reportedStartMove, abs(seconds) > abs(startMovedSeconds ?? 0) {
      startMovedSeconds = seconds
    }
    sensors.insert(receipt.sensor)
  }
}

extension OutcomeCounts {
  mutating func count(_ receipt: ScanReceipt) {
    scans += 1
    if receipt.isNewScan { newScans += 1 }
    added += receipt.added
    filled += receipt.filled
    known += receipt.known
    conflicts += receipt.conflicts
    leaveOut(Self.removedEarlier, receipt.leftOut)
  }

  mutating func count(_ outcome: EntryOutcome) {
    switch outcome {
    case .added: added += 1
    case .filled: filled += 1
    case .known: known += 1
    case .conflict: conflicts += 1
    case .leftOut: leaveOut(Self.removedEarlier)
    case .impossible: leaveOut(Self.impossible)
    }
  }

  private static let impossible = "impossible: a number or a time that cannot have been measured"
  private static let removedEarlier = "removed earlier with libre add --remove"
}
