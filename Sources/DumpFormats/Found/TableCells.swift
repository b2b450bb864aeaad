// SPDX-License-Identifier: Apache-2.0
import HostSystem
import TextFormats

extension FoundList {
  /// Adds what is in the texts and blobs of a database, of which each is searched like a file of its own: SQLite may have
  /// written it in several pieces. `place` is that of the database in the file; `goesOn` gets the number of bytes in each.
  mutating func add(
    tablesOf database: SQLiteConnection<DumpError>?, at place: ClosedRange<Int>, depth: Int = FileSearch.depthLimit,
    _ budget: inout Int, goesOn: (Int) -> Bool = { _ in true }
  ) {
    // The search of the file's bytes finds what SQLite cannot read.
    try? database?.forEachCell { cell in
      // Fewer bytes hold no memory, in any form.
      if cell.bytes.count >= 64 {
        var search = FileSearch(cell.bytes, depth: depth, hasDatabases: false)
        search.run(&budget)
        let (table, column) = (SafeText.excerpt(cell.table), SafeText.excerpt(cell.column))
        let layer = "table \"\(table)\", row \(cell.row), column \"\(column)\""
        add(search.found, from: layer, row: cell.row) { _ in place }
      }
      return goesOn(cell.bytes.count)
    }
  }
}
