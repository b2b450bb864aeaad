// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// Which of this store's wears those of another store are: two that were told apart there are not taken for one here,
/// unless their counts say so.
///
/// One for each file or store that samples come from.
public final class ForeignWears {
  struct Key: Hashable {
    let sensor: SensorIdentity
    let number: Int
  }

  private var rows: [Key: Int] = [:]

  public init() {}

  subscript(key: Key) -> Int? {
    get { rows[key] }
    set { rows[key] = newValue }
  }

  /// Wears of this store that others than `key` have become.
  func taken(by key: Key) -> Set<Int> { Set(rows.filter { $0.key != key }.map(\.value)) }

  /// Two of this store's wears are one now.
  func united(_ wear: Int, into other: Int) {
    for (key, row) in rows where row == wear { rows[key] = other }
  }
}
