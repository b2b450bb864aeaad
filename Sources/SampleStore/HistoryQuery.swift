// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// A selection of the store's entries.
public struct HistoryQuery: Hashable, Sendable {
  /// Rings of the sensors' samples, and of imported ones.
  public var rings: Set<SampleRing> = [.history]
  public var includesFingerSticks = false
  /// True to include measurements of blood pressure, which are not glucose.
  public var includesBloodPressure = false
  /// True to include each sample's values by other calibrations, after the sample.
  public var includesRevisions = false
  /// True to find out which samples do not count, because a sensor of the scope that was started later counts
  /// (`StoredSample.supersededBy`). All samples are returned even then.
  public var marksSuperseded = false
  /// First moment; nil for no limit. With a limit, samples without a time are left out.
  public var from: Instant?
  /// Last moment; nil for no limit.
  public var to: Instant?
  public var scope = HistoryScope()
  /// Selects only changes since this anchor of the store.
  public var after: StoreAnchor?
  public var isNewestFirst = true
  /// Maximum number of entries; nil for all.
  public var limit: Int?

  public init() {}
}

/// A state of the store: a query can ask for everything added or changed after it.
public struct StoreAnchor: Hashable, Sendable {
  /// Eight bytes that identify the store.
  let store: [UInt8]
  let change: Int

  init(store: [UInt8], change: Int) {
    self.store = store
    self.change = change
  }

  /// Parses the form of `description`; nil for anything else.
  public init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count == 16, let store = HexText.bytes(of: String(parts[0])),
      let change = Int(parts[1]), change >= 0
    else { return nil }
    self.init(store: store, change: change)
  }
}

extension StoreAnchor: CustomStringConvertible {
  /// The store's id and the number of a change: `3F2A…-1204`.
  public var description: String { "\(HexText.string(of: store))-\(change)" }
}
