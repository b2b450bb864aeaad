// SPDX-License-Identifier: Apache-2.0

/// The memories that a search has found, with what the stores know of them.
package struct FindListing: Sendable {
  package struct Row: Sendable {
    /// The sensor, with its UID and serial number if only a store knows them.
    package let sensor: SensorDescription
    package let readAt: Instant?
    /// The place that says most, then the others.
    package let places: [ReadingSource]
    package let isKnown: Bool
    package let person: String?

    /// `identity` is what a store knows of the sensor; `person` the owner of that store, if there are several people.
    package init(
      _ entry: FoundMemories.Entry, identity: SensorIdentity?, isKnown: Bool, person: String?
    ) {
      var sensor = entry.memory.sensor
      sensor.identity = SensorIdentity(
        uid: sensor.uid ?? identity?.uid, fingerprint: sensor.fingerprint, serial: sensor.serial ?? identity?.serial,
        family: sensor.family, product: sensor.identity.product)
      self.sensor = sensor
      (readAt, places) = (entry.memory.readAt, entry.places)
      (self.isKnown, self.person) = (isKnown, person)
    }
  }

  package let rows: [Row]
  package let fileCount: Int
  package let unread: [UnreadFile]
  /// True if a signal ended the search.
  package let isInterrupted: Bool

  package init(rows: [Row], fileCount: Int, unread: [UnreadFile], isInterrupted: Bool) {
    (self.rows, self.fileCount, self.unread) = (rows, fileCount, unread)
    self.isInterrupted = isInterrupted
  }

  package var newCount: Int { rows.count { !$0.isKnown } }
}

/// A file or directory that could not be searched.
package struct UnreadFile: Sendable {
  package let path: String
  package let error: LibreError

  package init(path: String, error: LibreError) { (self.path, self.error) = (path, error) }
}
