// SPDX-License-Identifier: Apache-2.0

/// Maps the wears of another store to this store's. Two separate wears there stay separate here, unless their counts
/// prove otherwise. Create one for each file or store that samples come from.
package final class ForeignWears {
  package struct Key: Hashable {
    package let sensor: SensorIdentity
    package let number: Int

    package init(sensor: SensorIdentity, number: Int) { (self.sensor, self.number) = (sensor, number) }
  }

  private var rows: [Key: Int] = [:]
  package init() {}

  package subscript(key: Key) -> Int? {
    get { rows[key] }
    set { rows[key] = newValue }
  }

  package func taken(by key: Key) -> Set<Int> { Set(rows.filter { $0.key != key }.map { $0.value }) }

  package func united(_ wear: Int, into other: Int) {
    for (key, row) in rows where row == wear { rows[key] = other }
  }
}
