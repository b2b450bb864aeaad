// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import HistoryFormats
import SampleStore
import TextFormats

/// The result of importing one file.
package struct ImportTally: Hashable, Sendable {
  package let path: String
  package let format: String
  package let subject: String?
  /// The numbers of memories and of values, by outcome, as the store's list of imports keeps them.
  package var counts = StoredImport.Counts()
  /// The number of added history values that are of the same time as others, from the same source and device.
  package var sameTime = 0
  /// Seconds by which a scan gives a different start of a sensor than the store, if significant.
  package var disagreementSeconds: Int?
  /// Seconds by which its scans moved the start of a sensor that the store had dated, if significant.
  package var startMovedSeconds: Int?
  /// True if the start of a sensor is known only from the modification time of a file.
  package var isProvisional = false
  /// True if times in the file had no zone. Then `timeZone` was used, which is nil if it has no name.
  package var hasLocalTimes = false
  package var timeZone: String?
  package var sensors: Set<SensorIdentity> = []
  /// People besides the current one who own some of them.
  package var persons: Set<Person> = []
  /// The reasons for which the first of the refused records were refused.
  package var refusals: [String] = []

  init(path: String, format: String, subject: String? = nil) {
    (self.path, self.format, self.subject) = (path, format, subject)
  }

  mutating func count(_ receipt: ScanReceipt, of person: Person? = nil) {
    if let person { persons.insert(person) }
    counts.count(receipt)
    if receipt.isProvisional { isProvisional = true }
    if let seconds = receipt.reportedDisagreement, abs(seconds) > abs(disagreementSeconds ?? 0) {
      disagreementSeconds = seconds
    }
    if let seconds = receipt.reportedStartMove, abs(seconds) > abs(startMovedSeconds ?? 0) {
      startMovedSeconds = seconds
    }
    sensors.insert(receipt.sensor)
  }
}

extension StoredImport.Counts {
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
