// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// Maps the wears of another store to this store's. Two separate wears there stay separate here, unless their counts
/// prove otherwise. Create one for each file or store that samples come from.
package final class ForeignWears {
  struct Key: Hashable {
    let sensor: SensorIdentity
    let number: Int
  }

  private var rows: [Key: Int] = [:]
  package init() {}

  subscript(key: Key) -> Int? {
    get { rows[key] }
    set { rows[key] = newValue }
  }

  /// This store's wears that belong to other keys.
  func taken(by key: Key) -> Set<Int> { Set(rows.filter { $0.key != key }.map(\.value)) }

  func united(_ wear: Int, into other: Int) {
    for (key, row) in rows where row == wear { rows[key] = other }
  }
}
