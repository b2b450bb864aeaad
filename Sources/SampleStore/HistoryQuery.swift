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

extension Set<SampleRing> {
  package static var all: Set<SampleRing> { Set(SampleRing.allCases) }
}

/// A state of the store: a query can ask for everything added or changed after it.
package struct StoreAnchor: Hashable, Sendable, CustomStringConvertible {
  let store: [UInt8]
  let change: Int

  init(store: [UInt8], change: Int) {
    self.store = store
    self.change = change
  }

  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count == 16, let store = HexText.bytes(of: String(parts[0])),
      let change = Int(parts[1]), change >= 0
    else { return nil }
    self.init(store: store, change: change)
  }

  /// The store's id and the number of a change: `3F2A…-1204`.
  package var description: String { "\(HexText.string(of: store))-\(change)" }
}
