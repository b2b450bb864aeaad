// SPDX-License-Identifier: Apache-2.0
package import CGMModel

package struct HistoryQuery: Hashable, Sendable {
  /// Rings of the sensors' samples, and of imported ones.
  package var rings: Set<SampleRing>
  package var includesFingerSticks = false
  package var includesBloodPressure = false
  /// True to include each sample's values by other calibrations, after the sample.
  package var includesRevisions = false
  /// True to find out which samples do not count among the scope's sensors (`StoredSample.supersededBy`).
  package var marksSuperseded = false
  /// First and last moment; nil for no limit. With a first one, samples without a time are left out.
  package var from: Instant?
  package var to: Instant?
  package var scope: HistoryScope
  /// Selects only changes since this anchor of the store.
  package var after: StoreAnchor?
  package var isNewestFirst: Bool
  package var limit: Int?

  package init(
    rings: Set<SampleRing> = [.history], from: Instant? = nil, to: Instant? = nil,
    of scope: HistoryScope = HistoryScope(), isNewestFirst: Bool = true
  ) {
    (self.rings, self.from, self.to) = (rings, from, to)
    (self.scope, self.isNewestFirst) = (scope, isNewestFirst)
  }
}
