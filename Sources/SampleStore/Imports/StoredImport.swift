// SPDX-License-Identifier: Apache-2.0
package import CGMModel

package struct StoredImport: Hashable, Sendable {
  package static let mergeFormat = "store"

  /// Counts from 1; the number of a removed import is not reused.
  package let id: Int
  package let at: Instant
  /// Files and directories as typed.
  package let files: [String]
  package let formats: [String]?
  /// Zone used for times without one; nil if every time had its own.
  package let timeZone: String?
  package let counts: OutcomeCounts
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
