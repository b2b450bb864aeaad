// SPDX-License-Identifier: Apache-2.0
import SQLiteAccess

extension SensorStore {
  /// Copies the current state of the store into an empty file. Removed data is not in the copy.
  /// - Throws: `diskFull` for the disk of the copy, because nothing else is written.
  package func copy(to path: String) throws(StoreError) { _ = try database.row("VACUUM INTO ?", .text(path)) }

  /// True if this store is a copy that `copy` made of `other`, so that everything in it has been in `other`. A copy has
  /// no write-ahead log until it is written to, and then it is a store of its own.
  package func isOlderCopy(of other: SensorStore) throws(StoreError) -> Bool {
    guard try database.row("PRAGMA journal_mode")?.first?.text == "delete" else { return false }
    let (mine, theirs) = (try identity(), try other.identity())
    return mine.id == theirs.id && mine.change <= theirs.change
  }

  private func identity() throws(StoreError) -> (id: SQLiteValue?, change: Int64) {
    let row = try database.row("SELECT id, change FROM store")
    return (row?[0], row?[1].integer ?? .max)
  }

  package struct Counts: Hashable, Sendable {
    package let sensors: Int
    package let scans: Int
    package let samples: Int
    package let imported: Int
    package let fingerSticks: Int
    package let bloodPressures: Int
    /// Size of the file.
    package let bytes: Int
  }

  package func counts() throws(StoreError) -> Counts {
    let row = try database.row(
      """
      SELECT (SELECT count(*) FROM sensor), (SELECT count(*) FROM scan), (SELECT count(*) FROM sample),
        (SELECT count(*) FROM entry WHERE kind = 2), (SELECT count(*) FROM entry WHERE kind = 3),
        (SELECT count(*) FROM entry WHERE kind = 4),
        (SELECT page_count * page_size FROM pragma_page_count, pragma_page_size)
      """)
    let numbers = (row ?? []).map { Int($0.integer ?? 0) } + Array(repeating: 0, count: 7)
    return Counts(
      sensors: numbers[0], scans: numbers[1], samples: numbers[2], imported: numbers[3], fingerSticks: numbers[4],
      bloodPressures: numbers[5], bytes: numbers[6])
  }
}
