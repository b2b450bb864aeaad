// SPDX-License-Identifier: Apache-2.0

/// A database file of another program, opened to be read: nothing in it or next to it is changed, created or deleted.
///
/// | next to the file | how it is opened |
/// |---|---|
/// | nothing | as a file that nobody changes, without locks |
/// | `-wal`, with the newest changes | without locks, and its index in memory instead of in a new `-shm` file |
/// | `-journal`, of a change that was interrupted or of none | as usual: SQLite refuses it if there is a change to undo |
///
/// (verified with SQLite 3.40: opened in the usual way, if only to be read, a database in WAL mode leaves `-shm` and
/// `-wal` behind.)
package enum ForeignDatabase {
  /// How an SQLite database begins (sqlite.org, "Database File Format").
  package static let signature = Array("SQLite format 3\0".utf8)

  /// Values of more bytes are not loaded: those of a scan have less than 2000.
  private static let longestValue: Int32 = 1 << 20

  package static func open<Failure: SQLiteError>(_ path: String) throws(Failure) -> SQLiteConnection<Failure> {
    let connection: SQLiteConnection<Failure> = try opened(path, "immutable=1")
    let companions = connection.companions
    if companions.log { return try opened(path, "mode=ro&vfs=unix-none") }
    if companions.journal { return try opened(path, "mode=ro") }
    return connection
  }

  private static func opened<Failure: SQLiteError>(
    _ path: String, _ parameters: String
  ) throws(Failure) -> SQLiteConnection<Failure> {
    let connection = try SQLiteConnection<Failure>(path, for: .reading, parameters: parameters)
    try connection.distrust()
    // In exclusive mode the index of a log is in memory: nothing can be read before that is set.
    for setting in ["cell_size_check = ON", "locking_mode = EXCLUSIVE"] {
      _ = try connection.row("PRAGMA \(setting)")
    }
    try connection.readSchema(longestValue: longestValue)
    // The cache is for rows that are read once.
    for setting in ["cache_size = -256", "mmap_size = 0"] { _ = try connection.row("PRAGMA \(setting)") }
    return connection
  }
}

extension SQLiteConnection {
  /// The names of a table's columns in lower case, with true for those that can be trusted: a column that is computed
  /// could take any time, and one called `rowid` would stand for the row's number. nil if there is no such table; a view
  /// or a virtual table, which is on no page and may compute anything, does not count.
  package func columns(ofForeignTable name: String) throws(Failure) -> [String: Bool]? {
    let table = try statement(
      "SELECT 1 FROM sqlite_master WHERE name = ? COLLATE NOCASE AND type = 'table' AND rootpage > 0"
    ).first(.text(name))
    guard table != nil else { return nil }
    let statement = try statement("SELECT name, hidden FROM pragma_table_xinfo(?)")
    statement.bind(.text(name), at: 1)
    var columns: [String: Bool] = [:]
    while let column = try statement.next() {
      guard let name = column[0].text?.lowercased() else { continue }
      columns[name] = column[1] == .integer(0) && name != "rowid"
    }
    return columns
  }
}
