// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// Which entries of the store are wanted.
public struct HistoryQuery: Hashable, Sendable {
  /// Of the sensors' samples, and of imported ones.
  public var rings: Set<SampleRing> = [.history]
  public var includesFingerSticks = false
  /// After each of the sensors' samples, its values by other calibrations.
  public var includesRevisions = false
  /// Not before; nil for no limit. With a limit, samples without a time are left out.
  public var from: Instant?
  /// Not after.
  public var to: Instant?
  public var scope = HistoryScope()
  /// Only what has changed since this anchor of the store's.
  public var after: StoreAnchor?
  public var isNewestFirst = true
  /// At most so many; nil for all.
  public var limit: Int?

  public init() {}
}

/// A state of the store: what is added or changed after it can be asked for.
public struct StoreAnchor: Hashable, Sendable {
  /// Eight bytes that tell one store from another.
  let store: [UInt8]
  let change: Int

  init(store: [UInt8], change: Int) {
    self.store = store
    self.change = change
  }

  /// Reads what `description` wrote; nil for anything else.
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
