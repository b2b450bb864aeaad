// SPDX-License-Identifier: Apache-2.0

package struct PersonSummary: Sendable {
  package let person: Person
  package let fullName: String?
  package let born: String?
  package let storePath: String
  package let sensorCount: Int
  /// The one that was started last.
  package let sensor: StoredSensor?
  package let sinks: [String]
  /// The reason why the store cannot be read.
  package let storeError: LibreError?

  package var lastReadAt: Instant? { sensor?.latestWear?.lastReadAt }

  package init(_ person: Person, fullName: String?, born: String?, storePath: String, sinks: [String]) {
    (self.person, self.storePath, self.sinks) = (person, storePath, sinks.sorted())
    (self.fullName, self.born) = (fullName, born)
    var found: (count: Int, latest: StoredSensor?) = (0, nil)
    var failure: LibreError?
    do throws(LibreError) {
      if let store = try StoreFile.openIfPresent(storePath) {
        found = (try libre(store.sensorIdentities()).count, try libre(store.latestSensor()))
      }
    } catch {
      failure = error
    }
    (sensorCount, sensor) = found
    storeError = failure
  }
}
