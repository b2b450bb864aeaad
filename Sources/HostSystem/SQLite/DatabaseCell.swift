// SPDX-License-Identifier: Apache-2.0

/// A text or a blob in a table of a database.
package struct DatabaseCell {
  package let table: String
  /// SQLite's number of the row; for a table that has none (WITHOUT ROWID), the position of the row, from 1.
  package let row: Int
  package let column: String
  /// The bytes of the blob, or of the text in UTF-8.
  package let bytes: [UInt8]
}

extension SQLiteConnection {
  /// Calls `take` with the texts and blobs in the tables of another program's database, one at a time, until it returns
  /// false. Views, virtual tables and columns that are computed when they are read are left out, because they may compute
  /// anything, and so is each value of more than 16 MiB or that SQLite cannot read.
  package func forEachCell(_ take: (DatabaseCell) -> Bool) throws(Failure) {
    limitValues(to: 16 << 20)
    // A file in which pages refer to each other has more rows and values than bytes.
    var allowance = 2 * Int(clamping: try byteCount())
    let tables = try statement("SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0").all {
      $0.textOrNil(0)
    }
    for table in tables where (try? forEachCell(of: table, &allowance, take)) == false { return }
  }

  /// Returns false if `take` does, and at the end of the allowance.
  private func forEachCell(
    of table: String, _ allowance: inout Int, _ take: (DatabaseCell) -> Bool
  ) throws(Failure) -> Bool {
    let all = try statement("SELECT name, hidden FROM pragma_table_xinfo(?)").all(.text(table)) { row in
      row.textOrNil(0).map { (name: $0, hidden: row.integer(1)) }
    }
    // 3 is a column whose computed values are stored.
    let columns = all.filter { $0.hidden == 0 || $0.hidden == 3 }.map(\.name)
    let (source, names) = (Self.quoted(table), columns.map(Self.quoted))
    func goesOn(_ cell: [UInt8], _ row: Int, _ column: Int) -> Bool {
      allowance -= cell.count
      return take(DatabaseCell(table: table, row: row, column: columns[column], bytes: cell))
    }

    // A column may have one of the names by which SQLite calls the number of a row.
    let number = ["rowid", "_rowid_", "oid"].first { name in !all.contains { $0.name.lowercased() == name } }
    let types = names.map { "typeof(\($0)) IN ('text', 'blob')" }
    // The type of a value is known without the value, so that never more than one is in memory.
    if let number, let rows = try? statement("SELECT \(([number] + types).joined(separator: ", ")) FROM \(source)") {
      var values: [Int: SQLiteStatement<Failure>] = [:]
      while try rows.step() {
        let row = rows.integer(0)
        allowance -= Self.minimumRow
        for index in names.indices where rows.integer(Int32(index + 1)) == 1 {
          if values[index] == nil {
            values[index] = try statement("SELECT \(names[index]) FROM \(source) WHERE \(number) = ?")
          }
          guard let value = values[index] else { continue }
          value.bind(row, at: 1)
          // One that is damaged or too long does not cost the others.
          if (try? value.step()) == true, let cell = value.bytes(0), !goesOn(cell, row, index) { return false }
          value.reset()
        }
        if allowance < 0 { return false }
      }
      return true
    }
    for index in names.indices {
      let values = try statement("SELECT \(names[index]) FROM \(source)")
      var row = 0
      while try values.step() {
        row += 1
        allowance -= Self.minimumRow
        if let cell = values.bytes(0), !goesOn(cell, row, index) { return false }
        if allowance < 0 { return false }
      }
    }
    return true
  }

  /// The bytes that a row has at least, in a file that is not damaged.
  private static var minimumRow: Int { 4 }

  private static func quoted(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }
}
