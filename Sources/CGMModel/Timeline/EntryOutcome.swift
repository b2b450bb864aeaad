// SPDX-License-Identifier: Apache-2.0

/// The outcome of storing one value.
package enum EntryOutcome: Hashable, Sendable {
  case added
  /// Replaced an error, or added a missing value.
  case filled
  case known
  case conflict
  /// Removed by the user earlier, so it is not stored again; or its sensor is unknown.
  case leftOut
  /// Left out, because its numbers or its time cannot have been measured.
  case impossible
}

/// The outcomes of storing what a file or another store holds.
package struct OutcomeCounts: Hashable, Sendable {
  /// Memories, and the number of new ones.
  package var scans = 0
  package var newScans = 0
  package var added = 0
  package var filled = 0
  package var known = 0
  package var conflicts = 0
  package var reasons: [String: Int] = [:]

  package var leftOut: Int { reasons.values.reduce(0, +) }

  package init() {}

  package mutating func add(_ other: OutcomeCounts) {
    scans += other.scans
    newScans += other.newScans
    added += other.added
    filled += other.filled
    known += other.known
    conflicts += other.conflicts
    for (reason, count) in other.reasons { reasons[reason, default: 0] += count }
  }

  package mutating func leaveOut(_ reason: String, _ count: Int = 1) {
    if count > 0 { reasons[reason, default: 0] += count }
  }
}
