// SPDX-License-Identifier: Apache-2.0

/// A state of the store: a query can ask for everything added or changed after it.
package struct StoreAnchor: Hashable, Sendable, CustomStringConvertible {
  package let store: [UInt8]
  package let change: Int

  package init(store: [UInt8], change: Int) {
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
