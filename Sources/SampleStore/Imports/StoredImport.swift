// SPDX-License-Identifier: Apache-2.0
package import CGMModel

package struct StoredImport: Hashable, Sendable {
  package struct Counts: Hashable, Sendable {
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

    package mutating func add(_ other: Counts) {
      scans += other.scans
      newScans += other.newScans
      added += other.added
      filled += other.filled
      known += other.known
      conflicts += other.conflicts
      reasons.merge(other.reasons, uniquingKeysWith: +)
    }

    package mutating func leaveOut(_ reason: String, _ count: Int = 1) {
      if count > 0 { reasons[reason, default: 0] += count }
    }
  }

  /// Counts from 1; the number of a removed import is not reused.
  package let id: Int
  package let at: Instant
  /// Files and directories as typed.
  package let files: [String]
  package let formats: [String]?
  /// Zone used for times without one; nil if every time had its own.
  package let timeZone: String?
  package let counts: Counts
}

/// A file with local times, by its content, and the way in which they were read.
package struct DatedFile: Hashable, Sendable {
  package let sha256: String
  /// The name of the zone; nil if it has none.
  package let timeZone: String?
  package let dateOrder: String

  package init(sha256: String, timeZone: String?, dateOrder: String) {
    (self.sha256, self.timeZone, self.dateOrder) = (sha256, timeZone, dateOrder)
  }
}

/// Content that only one import brought, and that is removed with it.
package struct ImportContent: Hashable, Sendable {
  package var scans = 0
  /// Sensors' samples, from scans and from exports of other stores.
  package var samples = 0
  package var imported = 0
  package var fingerSticks = 0
  package var bloodPressures = 0
  /// Times of the first and last value; nil if no value has a time.
  package var span: ClosedRange<Instant>?
  /// Names of the sensors and programs that the values come from.
  package var sources: [String] = []
  /// Values of the import that stay, because another import has them too.
  package var kept = 0

  package var values: Int { samples + imported + fingerSticks + bloodPressures }
}
