// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// A selection of the store's entries.
package struct HistoryQuery: Hashable, Sendable {
  /// Rings of the sensors' samples, and of imported ones.
  package var rings: Set<SampleRing> = [.history]
  package var includesFingerSticks = false
  /// True to include measurements of blood pressure, which are not glucose.
  package var includesBloodPressure = false
  /// True to include each sample's values by other calibrations, after the sample.
  package var includesRevisions = false
  /// True to find out which samples do not count, because a sensor of the scope that was started later counts
  /// (`StoredSample.supersededBy`). All samples are returned even then.
  package var marksSuperseded = false
  /// First moment; nil for no limit. With a limit, samples without a time are left out.
  package var from: Instant?
  /// Last moment; nil for no limit.
  package var to: Instant?
  package var scope = HistoryScope()
  /// Selects only changes since this anchor of the store.
  package var after: StoreAnchor?
  package var isNewestFirst = true
  /// Maximum number of entries; nil for all.
  package var limit: Int?

  package init() {}
}

/// A state of the store: a query can ask for everything added or changed after it.
package struct StoreAnchor: Hashable, Sendable {
  /// Eight bytes that identify the store.
  let store: [UInt8]
  let change: Int

  init(store: [UInt8], change: Int) {
    self.store = store
    self.change = change
  }

  /// Parses the form of `description`; nil for anything else.
  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count == 16, let store = HexText.bytes(of: String(parts[0])),
      let change = Int(parts[1]), change >= 0
    else { return nil }
    self.init(store: store, change: change)
  }
}

extension StoreAnchor: CustomStringConvertible {
  /// The store's id and the number of a change: `3F2A…-1204`.
  package var description: String { "\(HexText.string(of: store))-\(change)" }
}
