// SPDX-License-Identifier: Apache-2.0

/// The facts of a wear and of its last scan, which is the one at the largest age, since an age never decreases. Each
/// state of a sensor that is shown or sent follows from them.
package struct WearFacts: Hashable, Sendable {
  package let identity: SensorIdentity
  package let wear: Int
  package let activatedAt: Instant?
  /// The reason why the start, and with it each time, may be wrong.
  package let doubt: StartDoubt?
  package let maxLifeMinutes: Int?
  package let lastState: SensorState?
  package let lastAgeMinutes: Int?
  package let lastReadAt: Instant?
  /// nil for a memory that came from a file.
  package let lastReader: ReaderDescription?

  package init(
    _ identity: SensorIdentity, wear: Int = 1, activatedAt: Instant? = nil, doubt: StartDoubt? = nil,
    maxLifeMinutes: Int? = nil, lastState: SensorState? = nil, lastAgeMinutes: Int? = nil, lastReadAt: Instant? = nil,
    lastReader: ReaderDescription? = nil
  ) {
    (self.identity, self.wear, self.activatedAt, self.doubt) = (identity, wear, activatedAt, doubt)
    (self.maxLifeMinutes, self.lastState, self.lastAgeMinutes) = (maxLifeMinutes, lastState, lastAgeMinutes)
    (self.lastReadAt, self.lastReader) = (lastReadAt, lastReader)
  }

  package var expiresAt: Instant? { maxLifeMinutes.flatMap { activatedAt?.adding(minutes: $0) } }
}
